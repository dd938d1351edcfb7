"""Whether the judge decides how models rank (VoxMem, Appendix C.5)."""

from __future__ import annotations

import math

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.statistics.agreement import spearman
from voxmem.analyze.statistics.resample import Shares, observed
from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables.judged_twice import Twice, judge_notes, judged_twice
from voxmem.records import Record


class JudgeRanksRow(Record):
    """The models as two judges rank them."""

    judge_a: str
    judge_b: str
    budget: str
    policy: Policy
    entrants: int
    """With a number from both."""
    spearman: float | None
    """Of their accuracies."""
    p: float | None
    mean_difference: float | None
    """The mean over the entrants of the absolute difference of the two accuracies."""


def make(study: Study) -> Table[JudgeRanksRow]:
    """The leading judge beside each of the others, at every budget."""
    return Table(
        name="judge-ranks",
        title="Models as two judges rank them",
        model=JudgeRanksRow,
        rows=tuple(_row(both) for both in judged_twice(study)),
        source="VoxMem, Appendix C.5",
        notes=judge_notes(study),
    )


def _row(both: Twice) -> JudgeRanksRow:
    there = both.counted.any(axis=1)
    a = observed(Shares(both.right_a[there].T, both.counted[there].T)).tolist()
    b = observed(Shares(both.right_b[there].T, both.counted[there].T)).tolist()
    found = spearman(a, b)
    gaps = [abs(one - other) for one, other in zip(a, b, strict=True)]
    return JudgeRanksRow(
        judge_a=both.a.judge,
        judge_b=both.b.judge,
        budget=both.budget,
        policy=both.policy,
        entrants=len(gaps),
        spearman=found.rho,
        p=found.p,
        mean_difference=math.fsum(gaps) / len(gaps) if gaps else None,
    )
