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

    Rates of 0 and 1 stay finite by the log-linear correction: half a hit and one item are added to
    each (Hautus, Behavior Research Methods 27, 1995). Without signals, or without noises, there is
    no number.
    """
    from scipy.special import ndtri

    some = (np.asarray(signals) > 0) & (np.asarray(noises) > 0)
    hit, alarm = ndtri(_corrected(hits, signals)), ndtri(_corrected(alarms, noises))
    return Detection(
        np.where(some, hit - alarm, np.nan), np.where(some, -(hit + alarm) / 2, np.nan)
    )


def _corrected(count: ArrayLike, of: ArrayLike) -> NDArray[np.float64]:
    return np.asarray((np.asarray(count) + 0.5) / (np.asarray(of) + 1))
