"""Two entrants on the same items: is one better, and how large a difference could be seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.resample import Floats, Resampler, Shares
from voxmem.analyze.table import Interval
from voxmem.records import Record


class Paired(Record):
    """How two differ on the items that both were judged on."""

    n: int = 0
    a_only: int = 0
    """Right in ``a``, wrong in ``b``."""
    b_only: int = 0
    difference: Interval = Interval()
    """The share of ``a`` less that of ``b``, paired."""
    mcnemar: float | None = None
    """p of the exact test of McNemar, two-sided; ``None`` without items."""
    bootstrap: float | None = None
    """p by :func:`bootstrap_p`; ``None`` without an interval."""

    @property
    def discordance(self) -> float | None:
        """The share of the items on which they differ."""
        return (self.a_only + self.b_only) / self.n if self.n else None


def paired(
    one: Resampler, right: ArrayLike, counted: ArrayLike, pairs: Sequence[tuple[int, int]]
) -> tuple[Paired, ...]:
    """Pairs of series, each on the items that both were judged on.

    Args:
        one: Over the items.
        right: ``bool [items, series]``.
        counted: ``bool [items, series]``.
        pairs: Of places among the series.
    """
    there = np.asarray(counted, dtype=bool)
    marks = np.asarray(right, dtype=bool) & there
    alike: dict[bytes, list[int]] = {}
    for at, (a, b) in enumerate(pairs):
        alike.setdefault((there[:, a] & there[:, b]).tobytes(), []).append(at)
    found = [Paired()] * len(pairs)
    for members in alike.values():  # with the same items in common: mostly there is one such group
        of = [pairs[at] for at in members]
        both = there[:, of[0][0]] & there[:, of[0][1]]
        for at, one_pair in zip(members, _alike(one, marks, both, of), strict=True):
            found[at] = one_pair
    return tuple(found)


def _alike(
    one: Resampler, marks: Bools, both: Bools, pairs: Sequence[tuple[int, int]]
) -> Iterator[Paired]:
    """Pairs that have the items ``both`` in common: each series is resampled once."""
    who = {
        series: at for at, series in enumerate(sorted({name for pair in pairs for name in pair}))
    }
    right = marks[:, list(who)] & both[:, None]
    rates = one.rates(Shares(right, np.repeat(both[:, None], len(who), axis=1)))
    for a, b in pairs:
        first, second = who[a], who[b]
        gains = right[:, first].astype(np.int8) - right[:, second]
        yield _paired(one, gains, int(both.sum()), rates[:, first] - rates[:, second])


def _paired(one: Resampler, gains: NDArray[np.int8], n: int, draws: Floats) -> Paired:
    if not n:
        return Paired()
    a_only, b_only = int((gains > 0).sum()), int((gains < 0).sum())
    difference = one.interval((a_only - b_only) / n, draws)
    return Paired(
        n=n,
        a_only=a_only,
        b_only=b_only,
        difference=difference,
        mcnemar=mcnemar(a_only, b_only),
        bootstrap=None if difference.low is None else bootstrap_p(draws),
    )


def mcnemar(a_only: int, b_only: int) -> float:
    """p of the exact test of McNemar, two-sided, from the items that only one of two got right."""
    from statsmodels.stats.contingency_tables import mcnemar as exact

    return float(exact([[0, a_only], [b_only, 0]], exact=True).pvalue)


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


def holm(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """p values adjusted for their number by Holm's method; those that are none stay none."""
    known = np.array([value for value in values if value is not None])
    order = np.argsort(known, kind="stable")
    steps = known[order] * np.arange(len(known), 0, -1)
    adjusted = np.empty(len(known))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    ours = iter(adjusted.tolist())
    return tuple(None if value is None else next(ours) for value in values)


def detectable(
    n: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """The smallest difference of two paired shares that a two-sided test of McNemar finds.

    The difference δ that solves √n·δ = z(1-α/2)·√ψ + z(power)·√(ψ - δ²), with the share ψ of items
    on which the two differ (Connor, Biometrics 43, 1987).

    Returns:
        A fraction; ``None`` if even a difference of the whole discordance would not be found.
    """
    from scipy.special import ndtri

    size, reach = ndtri(1 - alpha / 2), ndtri(power)
    inside = n - size**2 + reach**2
    if not discordance > 0 or inside < 0:
        return None
    root = math.sqrt(discordance)
    found = root * (size * math.sqrt(n) + reach * math.sqrt(inside)) / (n + reach**2)
    return float(found) if found <= discordance else None
