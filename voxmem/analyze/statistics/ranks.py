"""Ranks with their uncertainty, and which entrants are tied."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxmem.analyze.statistics.resample import Floats, Resampler, Shares, observed
from voxmem.analyze.table import Interval
from voxmem.records import Record


class Standing(Record):
    """Where one entrant stands among others."""

    value: Interval = Interval()
    rank: Interval = Interval()
    """1 is best, equal shares have the same; the interval is that of its ranks over resamples."""
    first: int | None = None
    """1 and the number of entrants that are clearly better."""
    last: int | None = None
    """The number of entrants less those that are clearly worse."""

    @property
    def printed(self) -> str:
        """ "2", or "1–3" where it is tied; "–" without a number."""
        if self.first is None:
            return "–"
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def rank_intervals(one: Resampler, shares: Shares) -> tuple[Standing, ...]:
    """Each entrant's standing, ``[items, entrants]``, all rescored on the same resamples.

    Two entrants are tied if the paired interval of their difference holds zero, at the level of
    the resampler and unadjusted for the number of pairs; one is clearly better if it does not.
    Those without a number are not ranked and push nobody down.
    """
    values, draws = observed(shares), one.rates(shares)
    there = np.flatnonzero(np.isfinite(values))
    ranks, places = _ranks(values[None, there])[0], _ranks(draws[:, there])
    better = _clearly_better(one, values[there], draws[:, there])
    found = [Standing()] * len(values)
    for at, entrant in enumerate(there):
        found[entrant] = Standing(
            value=one.interval(values[entrant], draws[:, entrant]),
            rank=_whole(one.interval(ranks[at], places[:, at])),
            first=1 + int(better[:, at].sum()),
            last=len(there) - int(better[at].sum()),
        )
    return tuple(found)


def order(standings: Sequence[Standing]) -> tuple[int, ...]:
    """Their places, best first; those without a number last, equals in the order they came."""
    ranks = [one.rank.value for one in standings]
    last = len(ranks) + 1
    return tuple(sorted(range(len(ranks)), key=lambda at: ranks[at] or last))


def _ranks(values: Floats) -> Floats:
    """``float [rows, entrants]``: 1 for the highest, equals the same; NaN for none."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-values, method="min", axis=1, nan_policy="omit"), dtype=float)


def _clearly_better(one: Resampler, values: Floats, draws: Floats) -> np.ndarray:
    """``bool [entrants, entrants]``: whether the row's entrant is clearly above the column's."""
    size = len(values)
    found = np.zeros((size, size), dtype=bool)
    for a in range(size):
        for b in range(a + 1, size):
            gap = one.interval(values[a] - values[b], draws[:, a] - draws[:, b])
            if gap.low is not None and gap.high is not None:
                found[a, b], found[b, a] = gap.low > 0, gap.high < 0
    return found


def _whole(rank: Interval) -> Interval:
    """Ranks are whole: an end between two is the one farther out."""
    if rank.low is None or rank.high is None:
        return rank
    return Interval(value=rank.value, low=float(np.floor(rank.low)), high=float(np.ceil(rank.high)))
