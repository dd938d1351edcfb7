"""From the values of good and faulty clips to a threshold and its errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.calibration.records import ALL, Curve, Trials
from voxmem.quality.calibration.texts import Half

Values = NDArray[np.float64]

GOOD = "good"
_POINTS = 41


class Trial(NamedTuple):
    """What a check measured of one clip."""

    half: Half
    fault: str
    """``good``, or what is wrong with the clip."""
    value: float


Rule = Callable[[Values, Values], float]
"""The values of good and of faulty clips → a threshold."""


def at_most_rejected(share: float) -> Rule:
    """The highest threshold at which no more than that share of good clips is turned away."""

    def rule(good: Values, faulty: Values) -> float:
        return float(np.quantile(good, share, method="lower"))

    return rule


def below_mean(deviations: float) -> Rule:
    """So many standard deviations below the mean of good clips: for few clips of one condition."""
    return lambda good, faulty: float(good.mean() - deviations * good.std())


def fixed(threshold: float) -> Rule:
    """A threshold that follows from what the check is about."""
    return lambda good, faulty: threshold


def curve(
    check: str,
    trials: Iterable[Trial],
    rule: Rule,
    *,
    judge: str,
    described: str,
    condition: str = ALL,
    is_fixed: bool = False,
) -> Curve:
    """The threshold by the clips of one half, and its errors on those of the other.

    Args:
        described: How the threshold is set, for readers.
        is_fixed: The threshold is no matter of clips: all trials test it.
    """
    rows = list(trials)
    to_set = [] if is_fixed else [row for row in rows if row.half == "set"]
    to_test = rows if is_fixed else [row for row in rows if row.half == "test"]
    threshold = math.floor(rule(*_split(to_set)) * 1e4) / 1e4
    good, faulty = _split(to_test)
    rejects, accepts = _errors(good, faulty, np.array([threshold]))
    grid = _grid(good, faulty)
    grid_rejects, grid_accepts = _errors(good, faulty, grid)
    return Curve(
        check=check,
        condition=condition,
        judge=judge,
        threshold=threshold,
        rule=described,
        set_on=_counted(to_set),
        tested_on=_counted(to_test),
        false_rejects=round(float(rejects[0]), 4),
        false_accepts=round(float(accepts[0]), 4),
        equal_error=round(_equal_error(good, faulty), 4),
        caught=_caught(to_test, threshold),
        grid=_rounded(grid),
        grid_false_rejects=_rounded(grid_rejects),
        grid_false_accepts=_rounded(grid_accepts),
    )


def _split(rows: Sequence[Trial]) -> tuple[Values, Values]:
    good = [row.value for row in rows if row.fault == GOOD]
    return np.array(good), np.array([row.value for row in rows if row.fault != GOOD])


def _errors(good: Values, faulty: Values, thresholds: Values) -> tuple[Values, Values]:
    """False rejects and false accepts at each threshold."""
    rejects = np.searchsorted(np.sort(good), thresholds, "left") / max(good.size, 1)
    passing = faulty.size - np.searchsorted(np.sort(faulty), thresholds, "left")
    return rejects, passing / max(faulty.size, 1)


def _equal_error(good: Values, faulty: Values) -> float:
    if not good.size or not faulty.size:
        return 0.0
    places = np.unique(np.concatenate([good, faulty]))
    rejects, accepts = _errors(good, faulty, places)
    at = int(np.argmin(np.abs(rejects - accepts)))
    return float((rejects[at] + accepts[at]) / 2)


def _grid(good: Values, faulty: Values) -> Values:
    """Thresholds between the values, closer together where there are more of them."""
    values = np.concatenate([good, faulty])
    return np.unique(np.quantile(values, np.linspace(0, 1, _POINTS))) if values.size else values


def _caught(rows: Sequence[Trial], threshold: float) -> dict[str, float]:
    faults: Mapping[str, list[float]] = {
        fault: [row.value for row in rows if row.fault == fault]
        for fault in dict.fromkeys(row.fault for row in rows)
        if fault != GOOD
    }
    return {
        fault: round(float(np.mean(np.array(values) < threshold)), 4)
        for fault, values in faults.items()
    }


def _counted(rows: Sequence[Trial]) -> Trials:
    good = sum(row.fault == GOOD for row in rows)
    return Trials(good=good, faulty=len(rows) - good)


def _rounded(values: Values) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in values)
