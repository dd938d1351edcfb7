"""How far two readings of the same things agree: judges, auditors, people, rankings."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from voxmem.analyze.table import Interval
from voxmem.quality.labelling.kappa import cohens_kappa, crossed
from voxmem.records import Record

__all__ = ["Agreement", "Correlation", "agreement", "agreement_of", "crossed", "kappa", "spearman"]

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
    """Cohen's kappa of a square table of counts, with its asymptotic interval: see
    :func:`~voxmem.quality.labelling.kappa.cohens_kappa`."""
    found = cohens_kappa(table, level)
    return Interval(value=found.value, low=found.low, high=found.high)


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
