"""Two judges on the same responses (VoxMem, Table 13), by evidence, operation and answer type."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.statistics.agreement import agreement_of
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Rate, Table, rate
from voxmem.analyze.tables.groups import ALL
from voxmem.analyze.tables.judged_twice import Twice, judge_notes, judged_twice
from voxmem.records import Record
from voxmem.taxonomy import AnswerType, EvidenceType, Operation


class JudgeAgreementRow(Record):
    """Two judges on one slice."""

    judge_a: str
    """The one that leads."""
    judge_b: str
    budget: str
    policy: Policy
    by: str
    """"all", "evidence", "operation" or "answer_type"."""
    slice: str
    n: int
    accuracy_a: Rate
    accuracy_b: Rate
    delta: float | None
    """The accuracy by ``b`` less that by ``a``."""
    a_only: int
    """Right by ``a`` alone."""
    b_only: int
    agreement: float | None
    """The share that both judged alike."""
    kappa: Interval
    """Cohen's, with its asymptotic interval."""


def make(study: Study) -> Table[JudgeAgreementRow]:
    """The leading judge beside each of the others, at every budget."""
    rows = tuple(row for both in judged_twice(study) for row in _rows(both, study.choices.level))
    return Table(
        name="judge-agreement",
        title="Agreement between judges",
        model=JudgeAgreementRow,
        rows=rows,
        source="VoxMem, Table 13",
        notes=(
            *judge_notes(study),
            "Answer refusal is an operation of its own; answer types are those of all items.",
        ),
    )


def _rows(both: Twice, level: float) -> Iterator[JudgeAgreementRow]:
    for by, name, mask in _slices(both.a):
        counted = both.counted & mask
        asked = (both.a.marks[:, both.a.budget(both.budget)] > 0) & mask
        a, b = both.right_a & mask, both.right_b & mask
        a_only, b_only = int((a & ~b).sum()), int((b & ~a).sum())
        right, n = int((a & b).sum()), int(counted.sum())
        read = agreement_of([[right, a_only], [b_only, n - right - a_only - b_only]], level)
        yield JudgeAgreementRow(
            judge_a=both.a.judge,
            judge_b=both.b.judge,
            budget=both.budget,
            policy=both.policy,
            by=by,
            slice=name,
            n=n,
            accuracy_a=rate(a, counted, asked),
            accuracy_b=rate(b, counted, asked),
            delta=(b_only - a_only) / n if n else None,
            a_only=a_only,
            b_only=b_only,
            agreement=read.share,
            kappa=read.kappa,
        )


def _slices(scores: Scores) -> Iterator[tuple[str, str, Bools]]:
    """(by, name, ``bool [questions]``) of every slice that has questions."""
    yield ALL, ALL, scores.where()
    for by, field, names in (
        ("evidence", "evidence_type", EvidenceType),
        ("operation", "operation", Operation),
        ("answer_type", "answer_type", AnswerType),
    ):
        for name in names:
            mask = scores.where(**{field: name})
            if np.any(mask):
                yield by, name.value, mask
