"""Which refusals two judges disagree about (VoxMem, Appendix C.5): by what the reply says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.readings import KINDS, read_as
from voxmem.analyze.scores import Codes
from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables.groups import ALL
from voxmem.analyze.tables.judged_twice import Twice, judge_notes, judged_twice
from voxmem.records import Record


class JudgeRefusalsRow(Record):
    """Answer-refusal items of one kind of reply."""

    judge_a: str
    judge_b: str
    budget: str
    policy: Policy
    reading: str
    """Of :data:`voxmem.analyze.readings.KINDS`, or "all"."""
    n: int
    """Answer-refusal items that both scored."""
    a_only: int
    """Credited by ``a`` alone."""
    b_only: int


def make(study: Study) -> Table[JudgeRefusalsRow]:
    """The leading judge beside each of the others, at every budget."""
    notes = list(judge_notes(study))
    if study.readings is None:
        notes.append("The replies were not read: nothing is known of their grounds.")
    return Table(
        name="judge-refusals",
        title="Refusals that judges disagree about",
        model=JudgeRefusalsRow,
        rows=tuple(row for both in judged_twice(study) for row in _rows(both, study)),
        source="VoxMem, Appendix C.5",
        notes=tuple(notes),
    )


def _rows(both: Twice, study: Study) -> Iterator[JudgeRefusalsRow]:
    refusal = both.a.where(stratum="refusal") & both.counted
    groups = {ALL: refusal}
    if study.readings is not None:
        codes = _codes(both, study, study.readings)
        groups |= {kind: refusal & read_as(codes, kind) for kind in KINDS}
    for name, mask in groups.items():
        yield JudgeRefusalsRow(
            judge_a=both.a.judge,
            judge_b=both.b.judge,
            budget=both.budget,
            policy=both.policy,
            reading=name,
            n=int(mask.sum()),
            a_only=int((mask & both.right_a & ~both.right_b).sum()),
            b_only=int((mask & both.right_b & ~both.right_a).sum()),
        )


def _codes(both: Twice, study: Study, readings: Codes) -> Codes:
    """``[entrants, questions]``: those of the study that both judges saw."""
    who = [one.name for one in study.scores.entrants]
    asked = {one.question_id: at for at, one in enumerate(study.scores.questions)}
    rows = [who.index(one.name) for one in both.a.entrants]
    columns = [asked[one.question_id] for one in both.a.questions]
    return readings[:, study.scores.budget(both.budget)][np.ix_(rows, columns)]
