"""How accuracy falls with history length: four curves for every model and every evidence type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.labels import budget_tokens
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.curves import CURVES, PARAMETERS, Curve, Fit, best, fits
from voxmem.analyze.statistics.resample import Resampler, Shares, observed, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import ALL, counting_notes, evidence_groups
from voxmem.analyze.tables.span import span, span_notes
from voxmem.records import Record


class DecayRow(Record):
    """One curve through the accuracies of one model, or of all on one evidence type."""

    entrant: str
    """Or "all": the models with full runs at both ends, pooled."""
    evidence: str
    policy: Policy
    budgets: tuple[str, ...]
    """Those with a denominator."""
    n: int
    """Answers counted, of all these budgets."""
    per_doubling: Interval
    """The change of accuracy with every doubling of the length: the least-squares slope over
    log2 L, the same for every curve of a group. Resampled over items, all budgets together."""
    curve: Curve
    parameters: int
    is_best: bool
    """Has the lowest AICc of its group."""
    start: float
    """The fitted accuracy at the shortest of these budgets."""
    end: float
    """At the longest."""
    knee: float | None
    """Tokens, up to which the accuracy stays level."""
    log_likelihood: float
    aicc: float
    delta_aicc: float
    """Above the lowest of its group."""
    bic: float


class _Group(NamedTuple):
    entrant: str
    evidence: str
    policy: Policy
    right: Bools
    """``bool [entrants, budgets, questions]``."""
    counted: Bools
    budgets: tuple[str, ...]


def make(study: Study, *, pairing: Pairing | None = None) -> Table[DecayRow]:
    """The models on audio, each by itself; and all with full runs, by evidence type.

    Args:
        study: The study.
        pairing: Which items count; the study's choice where it is ``None``.
    """
    pairing = pairing or study.choices.pairing
    groups = [one for policy in POLICIES for one in _groups(study, policy, pairing)]
    notes = [*counting_notes(study, pairing), *span_notes(span(study, "paper", pairing))]
    notes.append(
        "Fitted by the binomial likelihood of the counts, with nominal lengths; compared by AICc "
        "and BIC, whose sample is every counted answer. The items of all lengths are the same, so "
        "that the likelihood takes them for more than they are."
    )
    notes += _left_out(groups)
    one = resampler(study)
    return Table(
        name="decay",
        title="Accuracy over history length: fitted curves",
        model=DecayRow,
        rows=tuple(row for group in groups for row in _rows(group, one)),
        notes=tuple(notes),
    )


def _groups(study: Study, policy: Policy, pairing: Pairing) -> Iterator[_Group]:
    models = study.scores.models
    counted = denominators(models, policy, pairing)
    for at, one in enumerate(models.entrants):
        part = slice(at, at + 1)
        yield _Group(one.name, ALL, policy, models.right[part], counted[part], models.budgets)
    of = span(study, policy, pairing)
    if of is None:
        return
    places = list(of.places)
    budgets = tuple(of.budget(place) for place in places)
    for evidence, mask in evidence_groups(of.scores).items():
        right, there = of.scores.right[:, places], of.counted[:, places] & mask
        yield _Group(ALL, evidence, policy, right, there, budgets)


def _rows(group: _Group, one: Resampler) -> Iterator[DecayRow]:
    right, n = _counts(group)
    found = _fits(tuple(map(budget_tokens, group.budgets)), right, n)
    chosen = best(found)
    if chosen is None:
        return
    slope = _per_doubling(group, one)
    for fit in found:
        yield DecayRow(
            entrant=group.entrant,
            evidence=group.evidence,
            policy=group.policy,
            budgets=tuple(name for name, of in zip(group.budgets, n, strict=True) if of),
            n=sum(n),
            per_doubling=slope,
            curve=fit.curve,
            parameters=PARAMETERS[fit.curve],
            is_best=fit is chosen,
            start=fit.start,
            end=fit.end,
            knee=fit.knee,
            log_likelihood=fit.log_likelihood,
            aicc=fit.aicc,
            delta_aicc=fit.aicc - chosen.aicc,
            bic=fit.bic,
        )


def _counts(group: _Group) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Right answers and denominators at every budget."""
    right, n = (group.right & group.counted).sum(axis=(0, 2)), group.counted.sum(axis=(0, 2))
    return tuple(right.tolist()), tuple(n.tolist())


@lru_cache(maxsize=1024)
def _fits(lengths: tuple[int, ...], right: tuple[int, ...], n: tuple[int, ...]) -> tuple[Fit, ...]:
    """The policies often count the same."""
    return fits(lengths, right, n)


def _per_doubling(group: _Group, one: Resampler) -> Interval:
    """The slope of the mean accuracy over the entrants."""
    some = group.counted.any(axis=(0, 2))
    at = np.log2([budget_tokens(name) for name in group.budgets])[some]
    weights = (at - at.mean()) / ((at - at.mean()) ** 2).sum()
    shares = [_shares(group, int(place)) for place in np.flatnonzero(some)]
    columns = np.concatenate(
        [
            np.full(np.shape(of.counted)[1], weight / np.shape(of.counted)[1])
            for weight, of in zip(weights, shares, strict=True)
        ]
    )
    both = Shares(
        np.hstack([np.asarray(of.right) for of in shares]),
        np.hstack([np.asarray(of.counted) for of in shares]),
    )
    return one.interval(float(observed(both) @ columns), one.rates(both) @ columns)


def _shares(group: _Group, budget: int) -> Shares:
    """Of the entrants that have a denominator there."""
    counted: NDArray[np.bool_] = group.counted[:, budget].T
    there = counted.any(axis=0)
    return Shares(group.right[:, budget].T[:, there], counted[:, there])


def _left_out(groups: list[_Group]) -> Iterator[str]:
    """Which curves the number of budgets does not allow."""
    lengths = [sum(of > 0 for of in _counts(group)[1]) for group in groups]
    for curve in CURVES:
        lacking = sum(0 < count <= PARAMETERS[curve] for count in lengths)
        if lacking:
            yield (
                f"Left out of {lacking} of {len(groups)} groups: {curve}, which takes at least "
                f"{PARAMETERS[curve] + 1} budgets."
            )
