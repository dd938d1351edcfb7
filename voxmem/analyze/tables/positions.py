"""Accuracy by where the evidence is in the history, at every length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.statistics.resample import Shares, observed, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import ALL, counting_notes
from voxmem.records import Record

BINS = 5


class PositionRow(Record):
    """Answerable items with their evidence in one part of the history."""

    entrant: str
    """Or "all": every model, pooled."""
    budget: str
    policy: Policy
    start: float
    """Of the part: 0 is the oldest session; what is at the end of a part is in the next."""
    end: float
    questions: int
    n: int
    """Answers counted."""
    accuracy: Interval
    """Of "all": the mean over the models."""


def make(study: Study, *, bins: int = BINS) -> Table[PositionRow]:
    """The models on audio, each and all, in parts of equal width.

    Args:
        study: With :attr:`~voxmem.analyze.study.Study.positions`.
        bins: Parts of a history.
    """
    notes = [*counting_notes(study)]
    if not study.scores.models.entrants:
        notes.append("No model was run on audio.")
    if not study.positions:
        notes.append("It is not known where the evidence is in the histories.")
    else:
        notes.append(
            "Answerable items, by the mean position of their evidence sessions, counted in "
            "sessions. An item is at other positions at other lengths, and the parts hold "
            "different items: they differ in difficulty as well."
        )
    return Table(
        name="positions",
        title="Accuracy by the position of the evidence",
        model=PositionRow,
        rows=tuple(row for policy in POLICIES for row in _rows(study, policy, bins)),
        notes=tuple(notes),
    )


def _rows(study: Study, policy: Policy, bins: int) -> Iterator[PositionRow]:
    models = study.scores.models
    counted, answerable = models.counted(policy), models.where(stratum="answerable")
    for at, budget in enumerate(models.budgets):
        places = _places(models, study, budget)
        known = np.isfinite(places) & answerable & models.asked[at]
        if not known.any():
            continue
        part = np.minimum(np.nan_to_num(places) * bins // 1, bins - 1)
        for each in range(bins):
            mask = known & (part == each)
            here = counted[:, at] & mask
            for name, n, accuracy in _accuracies(study, models, models.right[:, at] & here, here):
                yield PositionRow(
                    entrant=name,
                    budget=budget,
                    policy=policy,
                    start=each / bins,
                    end=(each + 1) / bins,
                    questions=int(mask.sum()),
                    n=n,
                    accuracy=accuracy,
                )


def _accuracies(
    study: Study, models: Scores, right: Bools, counted: Bools
) -> Iterator[tuple[str, int, Interval]]:
    """(name, answers counted, accuracy) of all models, then of each."""
    one, shares = resampler(study), Shares(right.T, counted.T)
    values, draws, n = observed(shares), one.rates(shares), counted.sum(axis=1)
    there = n > 0
    if there.any():
        mean = one.interval(float(values[there].mean()), draws[:, there].mean(axis=1))
    else:
        mean = Interval()
    yield ALL, int(n.sum()), mean
    for at, who in enumerate(models.entrants):
        yield who.name, int(n[at]), one.interval(values[at], draws[:, at])


def _places(scores: Scores, study: Study, budget: str) -> np.ndarray:
    """``float [questions]``: where the evidence is, NaN where it is nowhere."""
    known = ((one.question_id, budget) for one in scores.questions)
    return np.array([study.positions.get(item, np.nan) for item in known], dtype=float)
