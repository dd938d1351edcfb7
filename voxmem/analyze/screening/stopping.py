"""When a model has been asked enough of a screening set, however often one looks.

The items of a set are asked in a random order, so what was asked is a sample without replacement of
the set, and what is sought is the value that the whole set would give: the accuracy, and its
difference to each model of which all answers are known. The interval after each item is a
confidence sequence: with the wanted probability it holds that value after *every* item, so that one
may stop as soon as it is decided. It is the hedged betting sequence for sampling without
replacement of Waudby-Smith and Ramdas ("Estimating means of bounded random variables by betting",
2024): whoever bets against a true mean is unlikely ever to grow rich.

What the set itself is off by (:attr:`ScreeningSet.error`) comes on top.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voxmem.analyze.screening.cells import Floats
from voxmem.errors import InputError
from voxmem.evaluate.subset import ScreeningSet
from voxmem.records import Record

LEVEL = 0.95
_MEANS = 400
"""Steps between the means that are tried, evenly over the range."""
_CAUTION = 0.75
"""The most that is lost on one item, of what there is."""
_FEWEST = 0.1
"""Stakes are as if this share of the population was still to come, or more."""
_TINY = 1e-9


@dataclass(frozen=True)
class Bounds:
    """Intervals after each item: ``[..., looks]``."""

    low: Floats
    high: Floats


def bounds(
    seen: Floats, population: int, *, least: float, most: float, level: float = LEVEL
) -> Bounds:
    """A confidence sequence for the mean of a finite population, drawn without replacement.

    Args:
        seen: ``[..., looks]``: values in the order in which they were drawn, of any number of
            populations.
        population: How many values there are, seen or not.
        least: No value is smaller.
        most: No value is greater.

    Raises:
        ValueError: More was seen than there is, or a value is out of its range.
    """
    looks = seen.shape[-1]
    if looks > population:
        raise ValueError(f"{looks} of {population} values were seen")
    if seen.size and not (seen.min() >= least - 1e-9 and seen.max() <= most + 1e-9):
        raise ValueError(f"a value is not between {least} and {most}")
    if most <= least:
        return Bounds(np.full(seen.shape, least), np.full(seen.shape, least))
    shares = _shares((seen - least) / (most - least), population, level)
    return Bounds(least + (most - least) * shares.low, least + (most - least) * shares.high)


def _shares(seen: Floats, population: int, level: float) -> Bounds:
    """The same for values from 0 to 1."""
    looks, rich = seen.shape[-1], math.log(2 / (1 - level))
    means = np.linspace(0.0, 1.0, _MEANS + 1)
    stakes = _stakes(seen, population, rich)
    upward = np.zeros((*seen.shape[:-1], len(means)))
    downward, sums = upward.copy(), np.zeros(seen.shape[:-1])
    low, high = np.zeros(seen.shape), np.ones(seen.shape)
    for at in range(looks):
        left = population - at
        mean = np.clip((population * means - sums[..., None]) / left, 0.0, 1.0)
        off, stake = seen[..., at, None] - mean, stakes[..., at, None]
        # Neither bet can lose everything, so the capital of a true mean never grows on average.
        upward += np.log1p(np.minimum(stake, _CAUTION / np.maximum(mean, _TINY)) * off)
        downward += np.log1p(-np.minimum(stake, _CAUTION / np.maximum(1 - mean, _TINY)) * off)
        sums = sums + seen[..., at]
        # The greatest mean that is out from below, and the least from above; what is between two
        # means that were tried is left in.
        low[..., at] = np.where(upward >= rich, means, 0.0).max(axis=-1)
        high[..., at] = np.where(downward >= rich, means, 1.0).min(axis=-1)
    # What was seen bounds the mean as well; at the end it is known, whatever was thought before.
    known = np.cumsum(seen, axis=-1) / population
    possible = known + (population - np.arange(1, looks + 1)) / population
    return Bounds(
        np.clip(np.maximum.accumulate(low, axis=-1), known, possible),
        np.clip(np.minimum.accumulate(high, axis=-1), known, possible),
    )


def _stakes(seen: Floats, population: int, rich: float) -> Floats:
    """``[..., looks]``: what is staked on each value, by the spread of those before it: what would
    be best if everything was to be decided by those that are left."""
    number = np.arange(1, seen.shape[-1] + 1)
    mean = (0.5 + np.cumsum(seen, axis=-1)) / (number + 1)
    spread = (0.25 + np.cumsum((seen - mean) ** 2, axis=-1)) / (number + 1)
    before = np.concatenate([np.full((*seen.shape[:-1], 1), 0.25), spread[..., :-1]], axis=-1)
    left = np.maximum(population + 1 - number, _FEWEST * population)
    return np.asarray(np.sqrt(2 * rich / (before * left)))


class Look(Record):
    """What is known after so many items."""

    asked: int
    low: float
    """The accuracy that the whole set would give is not below."""
    high: float
    better_than: tuple[str, ...]
    worse_than: tuple[str, ...]
    undecided: tuple[str, ...]
    """Models of which neither is known yet; those that are even at the last item are in none."""

    @property
    def has_place(self) -> bool:
        """Whether its place among the given models is decided."""
        return not self.undecided

    def is_within(self, distance: float) -> bool:
        """Whether the accuracy is known to within that distance on both sides (a fraction)."""
        return self.high - self.low <= 2 * distance


def looks(
    chosen: ScreeningSet,
    right: Sequence[bool],
    given: Mapping[str, Mapping[str, bool]],
    level: float = LEVEL,
) -> tuple[Look, ...]:
    """What is known after each item that a model was asked.

    Args:
        right: Of the items of the set, in its order, as far as they were asked. What is not
            counted stands as wrong.
        given: Model → question → whether it was right; of the questions of the set, all that are
            lacking stand as wrong.
        level: Of the accuracy, and of the place among all given models together.

    Raises:
        InputError: There are more answers than items.
    """
    number = len(chosen.items)
    if len(right) > number:
        raise InputError(f"{len(right)} answers to {number} items", stage="screen")
    # So weighed, the plain mean over the items is the accuracy.
    weights = np.array([item.weight for item in chosen.items])
    weights = weights * (number / weights.sum())
    most, seen = float(weights.max()), len(right)
    mine = np.array(right, dtype=np.float64) * weights[:seen]
    theirs = np.array(
        [[known.get(item.question_id, False) for item in chosen.items] for known in given.values()],
        dtype=np.float64,
    ).reshape(len(given), number)
    found = bounds(mine, number, least=0.0, most=most, level=level)
    apart = bounds(
        mine - theirs[:, :seen] * weights[:seen],
        number,
        least=-most,
        most=most,
        level=1 - (1 - level) / max(len(given), 1),
    )
    return tuple(_look(at, number, tuple(given), found, apart) for at in range(seen))


def _look(at: int, number: int, names: Sequence[str], found: Bounds, apart: Bounds) -> Look:
    better, worse = apart.low[:, at] > _TINY, apart.high[:, at] < -_TINY
    open_still = ~better & ~worse & (at + 1 < number)
    return Look(
        asked=at + 1,
        low=float(found.low[at]),
        high=float(found.high[at]),
        better_than=tuple(name for name, is_so in zip(names, better, strict=True) if is_so),
        worse_than=tuple(name for name, is_so in zip(names, worse, strict=True) if is_so),
        undecided=tuple(name for name, is_so in zip(names, open_still, strict=True) if is_so),
    )
