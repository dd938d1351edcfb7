"""What the pre-judge would settle before a model judge is paid, and whether that judge agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.table import Rate, Table
from voxmem.judge.before import agreement
from voxmem.records import Record


class PrejudgeRow(Record):
    """One model judge and the pre-judge on the same replies."""

    judge: str
    replies: int
    """That the judge gave a verdict on."""
    settled: int
    """Of them: by the pre-judge."""
    same: Rate
    """Of those: with the same verdict."""
    differ: tuple[str, ...] = ()
    """The items of the others."""


def make(scored: Mapping[str, Sequence[Scored]]) -> Table[PrejudgeRow]:
    """One row a judge that was itself shown every reply.

    Args:
        scored: Judge → the responses with its own verdicts.
    """
    return Table(
        name="prejudge",
        title="What rules would settle before a judge is paid",
        model=PrejudgeRow,
        rows=tuple(_row(judge, rows) for judge, rows in scored.items()),
        notes=() if scored else ("No judge is a model that was shown every reply.",),
    )


def _row(judge: str, rows: Sequence[Scored]) -> PrejudgeRow:
    found = agreement(
        {row.question.question_id: row.question for row in rows},
        [row.response for row in rows],
        [row.verdict for row in rows],
    )
    same = Rate(correct=found.agree, n=found.settled, expected=found.settled)
    return PrejudgeRow(
        judge=judge,
        replies=found.responses,
        settled=found.settled,
        same=same,
        differ=found.differ,
    )
