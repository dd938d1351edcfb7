"""Accuracy at the shortest history against what is lost at the longest (VoxMem, Figure 9)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.statistics.agreement import spearman
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate, Table
from voxmem.analyze.tables.groups import (
    ALL,
    Rates,
    counting_notes,
    evidence_groups,
    lacking_notes,
)
from voxmem.analyze.tables.span import Span, span, span_notes
from voxmem.records import Record


class SensitivityRow(Record):
    """One model on one evidence type: a point of either panel."""

    entrant: str
    group: str
    evidence: str
    policy: Policy
    before: Rate
    """At the shortest budget."""
    after: Rate
    """At the longest."""
    retention: float | None
    """After over before; ``None`` if nothing was right before."""
    change: float | None
    """After less before."""


class SensitivityCorrelationRow(Record):
    """Spearman's of a measure of change with the accuracy before, over the points."""

    measure: str
    """"retention" or "change"."""
    policy: Policy
    points: int
    spearman: float | None
    p: float | None
    """Two-sided."""


def make(study: Study, *, pairing: Pairing | None = None) -> Table[SensitivityRow]:
    """One point a model × evidence type, of the models with a full run at the longest budget.

    Args:
        study: What was judged.
        pairing: Which items count; the study's choice where it is ``None``.
    """
    pairing = pairing or study.choices.pairing
    return Table(
        name="baseline-sensitivity",
        title="Accuracy at the shortest history and sensitivity to length",
        model=SensitivityRow,
        rows=_points(study, pairing),
        source="VoxMem, Figure 9",
        notes=_notes(study, pairing),
    )


def correlation(
    study: Study, *, pairing: Pairing | None = None
) -> Table[SensitivityCorrelationRow]:
    """Of both panels."""
    pairing = pairing or study.choices.pairing
    points = _points(study, pairing)
    rows = []
    for policy in POLICIES:
        of = [point for point in points if point.policy == policy]
        before = [point.before.value for point in of]
        for measure in ("retention", "change"):
            found = spearman(before, [getattr(point, measure) for point in of])
            rows.append(
                SensitivityCorrelationRow(
                    measure=measure,
                    policy=policy,
                    points=found.n,
                    spearman=found.rho,
                    p=found.p,
                )
            )
    return Table(
        name="baseline-sensitivity-correlation",
        title="Rank correlation of accuracy at the shortest history with what a longer one costs",
        model=SensitivityCorrelationRow,
        rows=tuple(rows),
        source="VoxMem, Appendix D.5",
        notes=_notes(study, pairing),
    )


def _points(study: Study, pairing: Pairing) -> tuple[SensitivityRow, ...]:
    return tuple(
        point
        for policy in POLICIES
        if (of := span(study, policy, pairing)) is not None and not of.is_one_budget
        for point in _points_of(of, policy)
    )


def _points_of(of: Span, policy: Policy) -> Iterator[SensitivityRow]:
    groups = {name: mask for name, mask in evidence_groups(of.scores).items() if name != ALL}
    rates = Rates(of.scores, of.counted, groups)
    for at, who in enumerate(of.scores.entrants):
        for evidence in groups:
            before = rates.at(at, of.shortest, evidence)
            after = rates.at(at, of.longest, evidence)
            yield SensitivityRow(
                entrant=who.name,
                group=who.group,
                evidence=evidence,
                policy=policy,
                before=before,
                after=after,
                retention=_retention(before.value, after.value),
                change=_change(before.value, after.value),
            )


def _retention(before: float | None, after: float | None) -> float | None:
    return after / before if before and after is not None else None


def _change(before: float | None, after: float | None) -> float | None:
    """Rounded, so that equal changes are equal numbers, and tie in rank."""
    return round(after - before, 12) if before is not None and after is not None else None


def _notes(study: Study, pairing: Pairing) -> tuple[str, ...]:
    of = span(study, study.choices.policy, pairing)
    return (*counting_notes(study, pairing), *span_notes(of), *lacking_notes(study.scores))
