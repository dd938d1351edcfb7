"""One run: a system, a budget and an arm on a release; its key, and the rows it has left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from voxmem.evaluate.arms import Arm, arm_named
from voxmem.evaluate.items import ReleaseRows
from voxmem.keys import key, short
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate, System
from voxmem.prompts import Prompts
from voxmem.prompts import load as load_prompts
from voxmem.records import Response

TABLE = "responses"
_KEEPING = 60.0
"""Seconds to wait for others that keep rows of the same run: it takes one."""


@dataclass(frozen=True)
class Run:
    """One system, one budget, one arm, on one release."""

    rows: ReleaseRows
    system: System
    budget: str
    arm_name: str = "audio"
    prompts: Prompts = field(default_factory=load_prompts)

    @cached_property
    def arm(self) -> Arm:
        return arm_named(self.arm_name)

    @property
    def name(self) -> str:
        """How it is called in results."""
        arm = "" if self.arm_name == "audio" else f" {self.arm_name}"
        return f"{self.system.name} {self.budget}{arm}"

    @cached_property
    def identity(self) -> tuple[str, ...]:
        """Everything that decides a response, apart from the item."""
        return (
            self.rows.release.release_id,
            self.system.fingerprint,
            self.adapter,
            self.prompt_hash,
            self.arm.name,
            str(self.arm.revision),
        )

    @property
    def adapter(self) -> str:
        return self.system.adapter if isinstance(self.system, Candidate) else ""

    @property
    def part(self) -> str:
        """The part its responses are kept in."""
        return short(TABLE, *self.identity, self.budget, digits=20)

    @property
    def prompt_hash(self) -> str:
        return self.arm.prompt(self.prompts).sha256

    def response_id(self, item_id: str) -> str:
        """The key of everything that decides the response to an item."""
        return key(*self.identity, item_id)

    def row(self, item: Item, reply: Reply, request_hash: str = "") -> Response:
        """A reply as the row that is kept."""
        return Response(
            response_id=self.response_id(item.item_id),
            item_id=item.item_id,
            question_id=item.question.question_id,
            budget=item.history.budget,
            system=self.system.name,
            arm=self.arm.name,
            outcome=reply.outcome,
            text=reply.text,
            error=reply.error,
            finish_reason=reply.finish_reason,
            prompt_hash=self.prompt_hash,
            request_hash=request_hash,
            adapter=self.adapter,
            usage=reply.usage,
            call=reply.call,
        )


def responses(run: Run, questions: Iterable[str] | None = None) -> list[Response] | None:
    """What a run has left, in the order of the release; ``None`` if it never left anything.

    Args:
        questions: Those that are asked for (a subset); all if ``None``.
    """
    tables = run.rows.root.tables
    if not tables.has(TABLE, run.part):
        return None
    kept = tables.read(TABLE, Response, [run.part])
    if questions is None:
        return kept
    wanted = set(questions)
    return [row for row in kept if row.question_id in wanted]


def is_settled(run: Run, questions: Iterable[str] | None = None) -> bool:
    """Whether every item that is asked for has a row, and none ended in an error. Imported
    predictions are what they are."""
    tables = run.rows.root.tables
    if not tables.has(TABLE, run.part):
        return False
    kept = tables.columns(TABLE, run.part, ("item_id", "outcome"))
    return _nothing_left(run, questions, kept)


def settled(run: Run, questions: Iterable[str] | None = None) -> list[Response] | None:
    """What a run has left, read once; ``None`` if it is not settled: see :func:`is_settled`."""
    kept = responses(run, questions)
    if kept is None:
        return None
    outcomes = ((row.item_id, str(row.outcome)) for row in kept)
    return kept if _nothing_left(run, questions, outcomes) else None


def _nothing_left(
    run: Run, questions: Iterable[str] | None, kept: Iterable[tuple[str, str]]
) -> bool:
    if getattr(run.system, "kind", "") == "predictions":
        return True
    wanted = set(run.rows.asked if questions is None else questions)
    items = {
        history.item_id
        for history in run.rows.histories
        if history.budget == run.budget and history.question_id in wanted
    }
    return items <= {item for item, outcome in kept if outcome != "error"}


def keep(run: Run, rows: Iterable[Response]) -> None:
    """Adds rows to what the run has left: a subset grows into the whole, and a row that was made
    again replaces the older one. Of several processes that keep rows at once, none loses any.

    Raises:
        StoreError: The root cannot be written.
        UsageError: Another process has been keeping rows for a minute.
    """
    root = run.rows.root
    with root.locked(f"rows-{run.part}", item=run.name, stage="evaluate", wait=_KEEPING):
        found = {row.item_id: row for row in (*(responses(run) or ()), *rows)}
        order = (history.item_id for history in run.rows.histories)
        ordered = [found[item_id] for item_id in order if item_id in found]
        root.tables.write(TABLE, run.part, ordered, Response)
