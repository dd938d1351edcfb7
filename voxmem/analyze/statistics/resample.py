"""The percentile bootstrap over items, or over whole question families (VoxMem, Appendix D.4).

The same questions are asked of every entrant at every budget, so one resample of the questions
rescores all of them: whatever is asked of one :class:`Resampler` is paired with everything else
that is asked of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxmem import keys
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval

Floats = NDArray[np.float64]
Weights = NDArray[np.float32]

LACKING = 0.05
"""The share of resamples without a number (an empty denominator) above which there is no interval:
the others would speak for a group that often is not there."""
_BLOCK = 1 << 18
"""Weights that are drawn at a time: what is drawn stays in the processor's cache."""
_HELD = 1 << 25
"""Weights that are held, at most: 128 MB."""


class Shares(NamedTuple):
    """What decides the shares of some series: ``[items, series]`` or ``[items]`` each."""

    right: ArrayLike
    counted: ArrayLike
    """What is in the denominator; what is right without it does not count."""


class Change(NamedTuple):
    """From one budget to a longer one, as in Table 18 of VoxMem: means over the series."""

    short: float | None
    long: float | None
    drop: Interval
    """Short less long, a fraction."""
    retention: Interval
    """Long over short."""


class Resampler:
    """Weights for the items, drawn once from ``key``: the same for everything that is asked of it.

    Args:
        n: Items.
        key: What the draws follow from.
        resamples: How many.
        level: Of the intervals.
        clusters: One name an item; items of one name are drawn together.

    Raises:
        ValueError: Not one name an item.
    """

    def __init__(
        self,
        n: int,
        *,
        key: Any,
        resamples: int = 10_000,
        level: float = 0.95,
        clusters: Sequence[Hashable] | None = None,
    ) -> None:
        if clusters is not None and len(clusters) != n:
            raise ValueError(f"{len(clusters)} cluster names for {n} items")
        self.n, self.resamples, self.level = n, resamples, level
        self._key = key
        self._unit: NDArray[np.intp] | None = None
        self.units = n
        if clusters is not None:
            places = {name: at for at, name in enumerate(dict.fromkeys(clusters))}
            self._unit = np.array([places[name] for name in clusters], dtype=np.intp)
            self.units = len(places)

    # --- draws --------------------------------------------------------------------------------

    def _drawn(self) -> Iterator[Weights]:
        """How often each item, or cluster, is in each resample: ``[units, some resamples]``."""
        rng = keys.numpy_rng("resample", self._key, self.units)
        step = max(1, _BLOCK // max(1, self.units))
        for start in range(0, self.resamples, step):
            size = min(step, self.resamples - start)
            picks = rng.integers(self.units, size=(size, self.units), dtype=np.int32)
            places = picks + np.arange(size, dtype=np.int32)[:, None] * np.int32(self.units)
            counts = np.bincount(places.ravel(), minlength=size * self.units)
            yield counts.reshape(size, self.units).T.astype(np.float32)

    @cached_property
    def _held(self) -> Weights | None:
        """All weights, unless they are too many to hold: then they are drawn again each time."""
        if self.units * self.resamples > _HELD:
            return None
        held, start = np.empty((self.units, self.resamples), dtype=np.float32), 0
        for weights in self._drawn():
            held[:, start : start + weights.shape[1]] = weights
            start += weights.shape[1]
        return held

    def sums(self, columns: ArrayLike) -> Floats:
        """The weighted sums of every column in every resample.

        Args:
            columns: ``[items, series]``, of booleans or numbers.

        Returns:
            ``float64 [resamples, series]``. Sums of booleans and small integers are exact.

        Raises:
            ValueError: Not one row an item.
        """
        table = np.asarray(columns)
        if table.ndim != 2 or len(table) != self.n:
            raise ValueError(f"columns of shape {table.shape} for {self.n} items")
        folded = self._folded(table.astype(np.float32 if self._is_exact(table) else np.float64))
        found = np.zeros((table.shape[1], self.resamples))
        if not found.size or not self.units:
            return found.T
        used, start = np.flatnonzero(folded.any(axis=1)), 0
        rows = used if 2 * len(used) < self.units else slice(None)  # copies, so it must pay
        left = np.ascontiguousarray(folded[rows].T)
        for weights in self._drawn() if self._held is None else (self._held,):
            stop = start + weights.shape[1]
            found[:, start:stop] = left @ weights[rows]
            start = stop
        return found.T

    def _is_exact(self, table: NDArray[Any]) -> bool:
        """Whether sums are exact in single precision, which is twice as fast: below 2^24."""
        whole = table.dtype.kind in "bui" and table.size > 0
        return whole and int(np.abs(table.astype(np.int64)).max()) * self.n < 1 << 24

    def _folded(self, table: NDArray[Any]) -> NDArray[Any]:
        """The rows of one cluster as one."""
        if self._unit is None:
            return table
        folded = np.zeros((self.units, table.shape[1]), dtype=table.dtype)
        np.add.at(folded, self._unit, table)
        return folded

    def rates(self, shares: Shares) -> Floats:
        """``float [resamples, series]``: each series' share; NaN for an empty denominator."""
        right, counted = _columns(shares)
        masks, of = np.unique(counted, axis=1, return_inverse=True)  # often all are the same
        sums = self.sums(np.hstack([right, masks]))
        width = right.shape[1]
        return _ratio(sums[:, :width], sums[:, width + of.ravel()])

    # --- intervals ----------------------------------------------------------------------------

    def interval(self, value: float, draws: Floats) -> Interval:
        """A number with the percentile interval of its resamples, ``[resamples]``.

        Resamples without a number are left out; above :data:`LACKING` of them, or with less than
        two items, there is no interval. A share of 0 or 1 has one without width: no resample can
        hold what was not seen.
        """
        if not np.isfinite(value):
            return Interval()
        known = draws[np.isfinite(draws)]
        if self.units < 2 or not len(known) or len(known) < (1 - LACKING) * len(draws):
            return Interval(value=float(value))
        tail = (1 - self.level) / 2
        low, high = np.quantile(known, (tail, 1 - tail))
        return Interval(value=float(value), low=float(low), high=float(high))

    def rate_intervals(self, shares: Shares) -> tuple[Interval, ...]:
        """Each series' share with its interval."""
        values, draws = observed(shares), self.rates(shares)
        return tuple(self.interval(value, draws[:, at]) for at, value in enumerate(values))

    def rate_interval(self, right: ArrayLike, counted: ArrayLike) -> Interval:
        """The share of one series, ``[items]`` each."""
        return self.rate_intervals(Shares(right, counted))[0]

    def mean_interval(self, shares: Shares) -> Interval:
        """The unweighted mean over those series that have a number."""
        kept = _kept(shares)
        return self.interval(_mean(observed(kept)), self._means(kept))

    def _means(self, shares: Shares) -> Floats:
        """``float [resamples]``: the mean over the series; NaN where one has no number."""
        rates = self.rates(shares)
        return rates.mean(axis=1) if rates.shape[1] else np.full(self.resamples, np.nan)

    def difference(self, a: Shares, b: Shares) -> Interval:
        """The mean share of ``a`` less that of ``b``, both rescored on each resample.

        Only series that have a number in both are compared, if there are as many in both.
        """
        a, b = _kept_both(a, b)
        draws = self._means(a) - self._means(b)
        return self.interval(_mean(observed(a)) - _mean(observed(b)), draws)

    def change(self, short: Shares, long: Shares) -> Change:
        """Drop and retention of the mean over series, both budgets rescored on each resample
        (VoxMem, Table 18); only series that have a number at both budgets."""
        short, long = _kept_both(short, long)
        before, after = _mean(observed(short)), _mean(observed(long))
        befores, afters = self._means(short), self._means(long)
        kept = after / before if before else np.nan
        return Change(
            short=float(before) if np.isfinite(before) else None,
            long=float(after) if np.isfinite(after) else None,
            drop=self.interval(before - after, befores - afters),
            retention=self.interval(kept, _ratio(afters, befores)),
        )


def resampler(study: Study) -> Resampler:
    """The one of a study, over its questions: the same object for every table of it."""
    choices, questions = study.choices, study.scores.questions
    families = tuple(one.family_id for one in questions) if choices.clustered else None
    return _shared(len(questions), choices.seed, choices.resamples, choices.level, families)


@lru_cache(maxsize=2)
def _shared(
    n: int, seed: int, resamples: int, level: float, clusters: tuple[str, ...] | None
) -> Resampler:
    return Resampler(n, key=seed, resamples=resamples, level=level, clusters=clusters)


def observed(shares: Shares) -> Floats:
    """``float [series]``: the shares themselves; NaN for an empty denominator."""
    right, counted = _columns(shares)
    return _ratio(right.sum(axis=0), counted.sum(axis=0))


def _columns(shares: Shares) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """``bool [items, series]`` each."""
    counted = np.asarray(shares.counted, dtype=bool)
    right = np.asarray(shares.right, dtype=bool) & counted
    return (right, counted) if counted.ndim == 2 else (right[:, None], counted[:, None])


def _kept(shares: Shares) -> Shares:
    """The series that have a denominator."""
    right, counted = _columns(shares)
    there = counted.any(axis=0)
    return Shares(right[:, there], counted[:, there])


def _kept_both(a: Shares, b: Shares) -> tuple[Shares, Shares]:
    (a_right, a_counted), (b_right, b_counted) = _columns(a), _columns(b)
    if a_counted.shape != b_counted.shape:
        return _kept(a), _kept(b)
    there = a_counted.any(axis=0) & b_counted.any(axis=0)
    return (
        Shares(a_right[:, there], a_counted[:, there]),
        Shares(b_right[:, there], b_counted[:, there]),
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _ratio(above: NDArray[Any], below: NDArray[Any]) -> Floats:
    found = np.full(np.shape(above), np.nan, order="F")  # series are looked at one by one
    np.divide(above, below, out=found, where=np.asarray(below) != 0)
    return found
