"""Two entrants on the same items: is one better, and how large a difference could be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from voxmem.analyze.statistics.resample import Floats, Resampler, Shares
from voxmem.analyze.table import Interval
from voxmem.records import Record


class Discordance(Record):
    """Where two differ, on the items that both were judged on."""

    n: int = 0
    a_only: int = 0
    """Right in ``a``, wrong in ``b``."""
    b_only: int = 0
    p: float | None = None
    """Of the exact test of McNemar, two-sided; ``None`` without items."""

    @property
    def share(self) -> float | None:
        """The share of the items on which they differ."""
        return (self.a_only + self.b_only) / self.n if self.n else None


def mcnemar(a: ArrayLike, b: ArrayLike, counted: ArrayLike) -> Discordance:
    """The exact test of McNemar; ``bool [items]`` each, ``counted`` by both."""
    from statsmodels.stats.contingency_tables import mcnemar as exact

    both, right_a, right_b = (np.asarray(one, dtype=bool) for one in (counted, a, b))
    n = int(both.sum())
    if not n:
        return Discordance()
    a_only = int((right_a & ~right_b & both).sum())
    b_only = int((right_b & ~right_a & both).sum())
    p = float(exact([[0, a_only], [b_only, 0]], exact=True).pvalue)
    return Discordance(n=n, a_only=a_only, b_only=b_only, p=p)


def bootstrap_p(draws: Floats) -> float | None:
    """The two-sided p of a difference from its resamples, ``[resamples]``.

    Twice the smaller share of resamples on one side of zero, those at zero on both; the observed
    sample counts as one, so that p is never 0.
    """
    known = draws[np.isfinite(draws)]
    if not len(known):
        return None
    side = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return min(1.0, 2 * (side + 1) / (len(known) + 1))


def compared(
    one: Resampler, a: ArrayLike, b: ArrayLike, counted: ArrayLike
) -> tuple[Interval, float | None]:
    """The difference of two entrants on common items, ``bool [items]`` each: its paired interval
    and bootstrap p."""
    right = np.column_stack([np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)])
    shares = Shares(right, np.column_stack([counted, counted]))
    rates = one.rates(shares)
    n = np.count_nonzero(counted)
    if not n:
        return Interval(), None
    both = right[np.asarray(counted, dtype=bool)].sum(axis=0)
    draws = rates[:, 0] - rates[:, 1]
    found = one.interval(float(both[0] - both[1]) / n, draws)
    return found, None if found.low is None else bootstrap_p(draws)


def holm(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """p values adjusted for their number by Holm's method; those that are none stay none."""
    from statsmodels.stats.multitest import multipletests

    known = [value for value in values if value is not None]
    if not known:
        return tuple(values)
    adjusted = iter(multipletests(known, method="holm")[1].tolist())
    return tuple(None if value is None else next(adjusted) for value in values)


def detectable(
    n: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """The smallest difference of two paired shares that a two-sided test of McNemar finds.

    The difference δ that solves √n·δ = z(1-α/2)·√ψ + z(power)·√(ψ - δ²), with the share ψ of items
    on which the two differ (Connor, Biometrics 43, 1987).

    Returns:
        A fraction; ``None`` if even a difference of the whole discordance would not be found.
    """
    from scipy.stats import norm

    size, reach = norm.ppf(1 - alpha / 2), norm.ppf(power)
    inside = n - size**2 + reach**2
    if not discordance > 0 or inside < 0:
        return None
    root = math.sqrt(discordance)
    found = root * (size * math.sqrt(n) + reach * math.sqrt(inside)) / (n + reach**2)
    return float(found) if found <= discordance else None
