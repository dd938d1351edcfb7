"""How far two readings of the same things agree: judges, auditors, people, rankings."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxmem.analyze.table import Interval
from voxmem.records import Record

_EXACT = 7
"""Points up to which every order is tried for the p of a rank correlation: 5,040 orders."""


class Agreement(Record):
    """Two readings of the same things."""

    n: int = 0
    same: int = 0
    kappa: Interval = Interval()
    """Cohen's."""

    @property
    def share(self) -> float | None:
        """The share of things that were read alike."""
        return self.same / self.n if self.n else None


class Correlation(Record):
    """Spearman's."""

    n: int = 0
    rho: float | None = None
    """``None`` with fewer than three points, or where one side is all alike."""
    p: float | None = None
    """Two-sided; over all orders up to seven points, else by Student's t."""


def crossed(a: Sequence[Hashable], b: Sequence[Hashable]) -> NDArray[np.int64]:
    """``int [classes, classes]``: how often the first said this where the second said that.

    Raises:
        ValueError: Not as many in both.
    """
    pairs = list(zip(a, b, strict=True))
    places = {name: at for at, name in enumerate(dict.fromkeys((*a, *b)))}
    table = np.zeros((len(places), len(places)), dtype=np.int64)
    for one, other in pairs:
        table[places[one], places[other]] += 1
    return table


def agreement(a: Sequence[Hashable], b: Sequence[Hashable], level: float = 0.95) -> Agreement:
    """Of two readings in any classes.

    Raises:
        ValueError: Not as many in both.
    """
    return agreement_of(crossed(a, b), level)


def agreement_of(table: ArrayLike, level: float = 0.95) -> Agreement:
    """Of a square table of counts."""
    counts = np.asarray(table)
    n = int(counts.sum())
    return Agreement(n=n, same=int(np.trace(counts)) if n else 0, kappa=kappa(counts, level))


def kappa(table: ArrayLike, level: float = 0.95) -> Interval:
    """Cohen's kappa of a square table of counts, with its asymptotic interval.

    No number if there is nothing, or one of the two said the same class of everything: it is then
    0, or 0 over 0, whatever the other said. No interval where they agree on everything: the
    variance is then 0 for any number of items.
    """
    from scipy.special import ndtri
    from statsmodels.stats.inter_rater import cohens_kappa

    counts = np.asarray(table, dtype=float)
    n = counts.sum()
    if not n or n in counts.sum(axis=0) or n in counts.sum(axis=1):
        return Interval()
    found = cohens_kappa(counts)
    value, variance = float(found.kappa), float(found.var_kappa)
    if np.trace(counts) == n or not variance > 0:
        return Interval(value=value)
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance)
    return Interval(value=value, low=max(-1.0, value - reach), high=min(1.0, value + reach))


def spearman(a: Sequence[float | None], b: Sequence[float | None]) -> Correlation:
    """The correlation of ranks; equal values share their mean rank, points that lack one of the
    two numbers are left out.

    Raises:
        ValueError: Not as many in both.
    """
    from scipy import stats

    points = [
        (one, other)
        for one, other in zip(a, b, strict=True)
        if one is not None and other is not None and math.isfinite(one) and math.isfinite(other)
    ]
    n = len(points)
    if n < 3 or any(len(set(side)) == 1 for side in zip(*points, strict=True)):
        return Correlation(n=n)
    x, y = (np.array(stats.rankdata(side)) for side in zip(*points, strict=True))
    if n > _EXACT:
        found = stats.spearmanr(x, y)
        return Correlation(n=n, rho=float(found.statistic), p=float(found.pvalue))
    x, y = x - x.mean(), y - y.mean()
    products = np.array(list(permutations(y))) @ x
    scale = float(np.sqrt((x @ x) * (y @ y)))
    as_far = np.abs(products) >= abs(x @ y) - 1e-9
    return Correlation(n=n, rho=float(x @ y) / scale, p=float(as_far.mean()))
