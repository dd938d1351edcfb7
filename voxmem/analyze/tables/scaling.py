"""Accuracy and retention over history length by evidence type (VoxMem, Figure 6)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.statistics.resample import resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import counting_notes, evidence_groups, lacking_notes
from voxmem.analyze.tables.span import Span, span, span_notes
from voxmem.records import Record


class ScalingRow(Record):
    """The mean over the models at one budget."""

    evidence: str
    budget: str
    policy: Policy
    entrants: int
    """The models: the same ones at every budget."""
    accuracy: Interval
    retention: Interval
    """Relative to the shortest budget."""


def make(study: Study, *, pairing: Pairing | None = None) -> Table[ScalingRow]:
    """Over the models with a full run at the longest budget.

    Args:
        study: What was judged.
        pairing: Which items count; the study's choice where it is ``None``.
    """
    pairing = pairing or study.choices.pairing
    spans = {policy: span(study, policy, pairing) for policy in POLICIES}
    rows = (
        row for policy, of in spans.items() if of is not None for row in _rows(study, policy, of)
    )
    return Table(
        name="scaling",
        title="Accuracy and retention over history length",
        model=ScalingRow,
        rows=tuple(rows),
        source="VoxMem, Figure 6",
        notes=(
            *counting_notes(study, pairing),
            *span_notes(spans[study.choices.policy]),
            *lacking_notes(study.scores),
        ),
    )


def _rows(study: Study, policy: Policy, of: Span) -> Iterator[ScalingRow]:
    draw = resampler(study)
    for evidence, where in evidence_groups(of.scores).items():
        first = of.shares(of.shortest, where)
        for place in range(of.shortest, of.longest + 1):
            here = of.shares(place, where)
            yield ScalingRow(
                evidence=evidence,
                budget=of.budget(place),
                policy=policy,
                entrants=len(of.scores.entrants),
                accuracy=draw.mean_interval(here),
                retention=draw.change(first, here).retention,
            )
