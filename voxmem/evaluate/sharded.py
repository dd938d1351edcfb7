"""One run of a candidate, open for its shards: its model is loaded once for all of them.

Several processes may share a run: each asks every n-th shard. What decides that nothing is paid
twice is a lock on every shard, under the name of its items, and the ledger behind it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import chain
from types import TracebackType
from typing import Self

from voxmem.errors import UsageError
from voxmem.evaluate.asking import Asking
from voxmem.evaluate.job import Job, budgets
from voxmem.evaluate.quote import quote
from voxmem.evaluate.ready import labels
from voxmem.evaluate.run import Run, keep, responses
from voxmem.evaluate.runner import items_of
from voxmem.evaluate.shards import cut
from voxmem.evaluate.spending import Spending
from voxmem.evaluate.summary import Summary, summarize
from voxmem.keys import short
from voxmem.models.catalogue import entry_of
from voxmem.models.item import Item
from voxmem.records import Response
from voxmem.turns import turn


class ShardedRun:
    """A context manager; its shards may be answered in several threads at once.

    Args:
        run: What is asked, and of whom: a candidate.
        job: The whole of what is wanted.
        limit_usd: What is left to spend; ``None``: no limit.
        heard: Called with how many items have their answer, and of how many.
        share: (which, of how many) processes this one is; the only one if absent.
        patience: Seconds to wait for another process that is at the whole run.

    Raises:
        UsageError: The model failed preflight, its settings are wrong, or a limit is wanted and its
            price is not known.
    """

    def __init__(
        self,
        run: Run,
        job: Job,
        *,
        limit_usd: float | None = None,
        heard: Callable[[int, int], None] = lambda done, total: None,
        share: tuple[int, int] = (0, 1),
        patience: float = 0.0,
    ) -> None:
        self.run = run
        self.share = share
        items = items_of(run, job.questions(run.rows, run.budget))
        which, of = share
        # Every n-th, so that what a limit leaves unasked is spread over all of them.
        seconds = [item.history.length.audio_seconds for item in items]
        mine = cut(seconds, entry_of(run.system.name))[which::of]
        self.shards = [items[first:last] for first, last in mine]
        said = labels(run, job.budgets or budgets(run.rows), job.preflight)
        self.items = list(chain.from_iterable(self.shards))
        spending = None if limit_usd is None else _spending(run, self.items, limit_usd)
        self._asking = Asking(run, spending, said, patience if of == 1 else None)
        self._heard = heard
        self._rows: dict[str, Response] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._asking.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._asking.__exit__(kind, error, trace)

    def answer(self, shard: int, patience: float = 0.0) -> int | None:
        """Answers the items of a shard and keeps their rows; returns how many there are. ``None``:
        another process is at them.

        Args:
            patience: Seconds to wait for such a process.
        """
        items = self.shards[shard]
        name = short("shard", self.run.part, [item.item_id for item in items], digits=20)
        with turn(self.run.rows.root, name, patience) as mine:
            if not mine:
                return None
            rows = self._asking.rows(items, self._one_more)
            with self._lock:
                keep(self.run, rows)
        return len(rows)

    def summary(self) -> Summary:
        """What came of it so far."""
        wanted = [item.question.question_id for item in self.items]
        spending = self._asking.spending
        return summarize(
            self.run.name,
            responses(self.run, wanted) or (),
            len(self.items),
            stopped=self._asking.stopped,
            new_dollars=spending.spent if spending else 0.0,
            gave_up=self._asking.gave_up,
        )

    def record(self) -> Summary:
        """The summary, kept in the root for whoever started this process."""
        self._restore()
        found = self.summary()
        self.run.rows.root.put_json(document(self.run, self.share), found)
        return found

    def _restore(self) -> None:
        """Keeps again what another process has overwritten: a bucket may give one lock to two."""
        there = {row.item_id for row in responses(self.run) or ()}
        if lost := [row for row in self._rows.values() if row.item_id not in there]:
            keep(self.run, lost)

    def _one_more(self, row: Response) -> None:
        self._rows[row.item_id] = row
        self._heard(len(self._rows), len(self.items))


def document(run: Run, share: tuple[int, int] = (0, 1)) -> str:
    """Where a process leaves what came of its share of a run."""
    which, of = share
    return f"evaluations/{run.part}" + (f"-{which}-of-{of}" if of > 1 else "")


def _spending(run: Run, items: list[Item], limit: float) -> Spending:
    most = quote(run, items).most
    unknown = [name for name, dollars in most.items() if dollars is None]
    if unknown or not {item.item_id for item in items} - most.keys() <= _answered(run):
        raise UsageError(
            "a limit cannot be kept: what it costs is not known",
            item=run.system.name,
            stage="evaluate",
            remedy="give the model's entry a price, or leave --limit-usd out",
        )
    return Spending(limit, {name: dollars or 0.0 for name, dollars in most.items()})


def _answered(run: Run) -> set[str]:
    """Items whose answers are in the ledger: they cost nothing again."""
    ledger = run.rows.root.ledger("evaluate")
    return {
        history.item_id
        for history in run.rows.histories
        if history.budget == run.budget and ledger.get(run.response_id(history.item_id)) is not None
    }
