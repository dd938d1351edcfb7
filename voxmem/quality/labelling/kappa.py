"""Cohen's kappa: how far two readings of the same things agree beyond chance (Cohen, 1960)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Kappa(NamedTuple):
    """With its interval. ``None``: there is no such number."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


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


def cohens_kappa(table: ArrayLike, level: float = 0.95) -> Kappa:
    """Cohen's kappa of a square table of counts, with its asymptotic interval.

    No number if there is nothing, or one of the two said the same class of everything: it is then
    0, or 0 over 0, whatever the other said. No interval where they agree on everything: the
    variance is then 0 for any number of items.
    """
    from scipy.special import ndtri
    from statsmodels.stats import inter_rater

    counts = np.asarray(table, dtype=float)
    n = counts.sum()
    if not n or n in counts.sum(axis=0) or n in counts.sum(axis=1):
        return Kappa()
    found = inter_rater.cohens_kappa(counts)
    value, variance = float(found.kappa), float(found.var_kappa)
    if np.trace(counts) == n or not variance > 0:
        return Kappa(value)
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance)
    return Kappa(value, max(-1.0, value - reach), min(1.0, value + reach))
