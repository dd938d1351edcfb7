"""Runs one system over the items of one budget and keeps a row for every item."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from voxmem.errors import UsageError
from voxmem.evaluate.asking import Asking, Heard
from voxmem.evaluate.controls import prepared
from voxmem.evaluate.run import Run, is_settled, keep, responses
from voxmem.models.item import Item
from voxmem.models.registry import Candidate, Control
from voxmem.records import Response

__all__ = ["Run", "evaluate", "is_settled", "items_of", "responses"]


def items_of(run: Run, questions: Sequence[str] | None = None) -> list[Item]:
    """The items of a run, all or those of some questions, in the order in which they are given.

    Raises:
        UsageError: The release has no such budget, or no such item.
    """
    items = run.rows.items([run.budget])
    if questions is not None:
        found = {item.question.question_id: item for item in items}
        items = [found[name] for name in questions if name in found]
    if not items:
        raise UsageError("the release has no such budget", item=run.budget, stage="evaluate")
    return items


def evaluate(
    run: Run, items: Sequence[Item] | None = None, heard: Heard = lambda row: None
) -> list[Response]:
    """Runs the system over the items, or returns what an earlier run has left.

    Rows that ended in an error are tried again; so are all of a system that costs nothing.

    Raises:
        UsageError: The release has no such budget, or the system's settings are wrong.
    """
    wanted = items_of(run) if items is None else items
    questions = [item.question.question_id for item in wanted]
    if is_settled(run, questions):
        return responses(run, questions) or []
    if isinstance(run.system, Control):
        rows = decided(run, wanted)
    elif not isinstance(run.system, Candidate):
        raise UsageError(
            "it was asked elsewhere, and its predictions were imported: it cannot be asked here",
            item=run.system.name,
            stage="evaluate",
            remedy="judge it: voxmem judge",
        )
    else:
        with Asking(run) as asking:
            rows = asking.rows(wanted, heard)
    keep(run, rows)
    return rows


def decided(run: Run, items: Sequence[Item]) -> list[Response]:
    """The rows of a control.

    Raises:
        UsageError: An item is not annotated, and the control needs that.
    """
    assert isinstance(run.system, Control)
    control = prepared(run.system, run.rows.asked.values())

    async def all_of_them() -> list[Response]:
        return [run.row(item, await control.decide(item)) for item in items]

    return asyncio.run(all_of_them())
