"""Refusal as detection: does an entrant tell items that cannot be answered from those that can?

A hit is an abstention on an item that cannot be answered, a false alarm one on an item that can.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Detection(NamedTuple):
    """Equal-variance signal detection; arrays of one shape, NaN where there is no number."""

    d_prime: NDArray[np.float64]
    """z(hit rate) - z(false alarm rate): 0 for one that cannot tell."""
    criterion: NDArray[np.float64]
    """-(z(hit rate) + z(false alarm rate)) / 2: above 0 for one that rather answers."""


def detection(
    hits: ArrayLike, signals: ArrayLike, alarms: ArrayLike, noises: ArrayLike
) -> Detection:
    """From counts of one shape: hits among ``signals`` items, false alarms among ``noises``.

    Rates of 0 and 1 stay finite by the log-linear correction: two items, one of them abstained on,
    are added, shared out as signals and noises are (Hautus, Behavior Research Methods 27, 1995).
    One that always abstains, or never, so has a d′ of 0 whatever the shares. Without signals, or
    without noises, there is no number.
    """
    from scipy.special import ndtri

    of_signals, of_noises = np.asarray(signals, dtype=float), np.asarray(noises, dtype=float)
    some = (of_signals > 0) & (of_noises > 0)
    whole = np.where(some, of_signals + of_noises, 1)
    added = np.where(some, of_signals / whole, 0.5)
    hit = ndtri((np.asarray(hits) + added) / (of_signals + 2 * added))
    alarm = ndtri((np.asarray(alarms) + 1 - added) / (of_noises + 2 * (1 - added)))
    return Detection(
        np.where(some, hit - alarm, np.nan), np.where(some, -(hit + alarm) / 2, np.nan)
    )
