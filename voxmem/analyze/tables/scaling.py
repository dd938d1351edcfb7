"""Accuracy and retention over history length by evidence type (VoxMem, Figure 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.statistics.resample import Floats, Shares, observed, resampler
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
    """Relative to the shortest of these budgets."""


def make(study: Study, *, pairing: Pairing | None = None) -> Table[ScalingRow]:
    """Over the models with full runs at both ends, at every budget that all of them got through.

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
    for evidence, where in evidence_groups(of.scores).items():
        means = [_mean(study, of.shares(place, where)) for place in of.places]
        first = means[0]
        for place, here in zip(of.places, means, strict=True):
            yield ScalingRow(
                evidence=evidence,
                budget=of.budget(place),
                policy=policy,
                entrants=len(of.scores.entrants),
                accuracy=resampler(study).interval(here.value, here.draws),
                retention=resampler(study).interval(
                    _ratio(here.value, first.value), _ratio(here.draws, first.draws)
                ),
            )


class _Mean(NamedTuple):
    """The unweighted mean over the models; NaN where one has no number."""

    value: float
    draws: Floats
    """``float [resamples]``."""


def _mean(study: Study, shares: Shares) -> _Mean:
    draws = resampler(study).rates(shares).mean(axis=1)
    return _Mean(float(observed(shares).mean()), draws)


def _ratio(above: Any, below: Any) -> Any:
    """NaN for a division by zero."""
    divisor = np.where(np.asarray(below) == 0, np.nan, below)
    return above / divisor
