"""Asks a candidate the items of one run. One process at a time is at a run, unless they have agreed
on who asks what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Self

from voxmem.evaluate.calls import Calls, Wanted
from voxmem.evaluate.run import Run
from voxmem.evaluate.spending import Spending
from voxmem.models.item import Item
from voxmem.models.registry import Candidate
from voxmem.records import Response

Heard = Callable[[Response], None]
"""Called for every answer as it comes, from the thread that asks."""


class Asking:
    """A candidate that is open for one run. A context manager; several threads may use it.

    Args:
        run: What is asked, and of whom.
        spending: Bounds what may be spent; ``None``: nothing does.
        labels: Carried in the notes of every row: what preflight found.
        patience: Seconds to wait for another process that is at the run; ``None``: it may be at it
            too, for it asks other items.
    """

    def __init__(
        self,
        run: Run,
        spending: Spending | None = None,
        labels: tuple[str, ...] = (),
        patience: float | None = 0.0,
    ) -> None:
        assert isinstance(run.system, Candidate)
        self.run = run
        self.spending = spending
        ledger = run.rows.root.ledger("evaluate")
        self._calls = Calls(run.system, ledger, Response, _is_final, spending, labels)
        self._patience = patience
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._patience is not None:
                stack.enter_context(alone(self.run, self._patience))
            stack.enter_context(self._calls)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def rows(self, items: Sequence[Item], heard: Heard = lambda row: None) -> list[Response]:
        """A row for every item, in their order, but for those that :attr:`stopped` left unasked.

        Items that were answered earlier are not asked again.

        Raises:
            UsageError: The settings are wrong, so that every item would fail as well.
        """
        wanted = [self._wanted(item) for item in items]
        rows = self._calls.rows(wanted, lambda _, row: heard(row))
        return [row for row in rows if row is not None]

    @property
    def stopped(self) -> str | None:
        """Why items were left unasked; ``None`` as long as none was."""
        return self._calls.stopped

    @property
    def gave_up(self) -> bool:
        """Whether it stopped because the provider no longer answers."""
        return self._calls.gave_up

    def _wanted(self, item: Item) -> Wanted[Response]:
        run = self.run
        return Wanted(
            key=run.response_id(item.item_id),
            name=item.item_id,
            tell=lambda: run.arm.told(item, run.prompts),
            row=lambda told, reply: run.row(item, reply, told.request_hash),
        )


def alone(run: Run, patience: float = 0.0) -> AbstractContextManager[None]:
    """Keeps other processes from a run for the block.

    Args:
        patience: Seconds to wait for one that is at it.

    Raises:
        UsageError: One still is.
    """
    root = run.rows.root
    return root.locked(run.part, item=run.name, stage="evaluate", wait=patience)


def _is_final(row: Response) -> bool:
    return row.outcome != "error"
