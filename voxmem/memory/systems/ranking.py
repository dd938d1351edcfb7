"""From several scores of every session to the few sessions that are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence

SMOOTHING = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
FACTOR = 2.0
"""Sessions kept of a history: this many times the square root of its number. 8 of 16, 13 of 40, 32
of 250: what is kept grows, and ever slower than the history."""

DIGITS = 6
"""Decimals of a score that are compared: libraries of linear algebra differ in the last ones."""


def kept_of(sessions: int, factor: float = FACTOR) -> int:
    """How many sessions are kept of a history of that many."""
    return min(sessions, math.ceil(factor * math.sqrt(sessions)))


def fused(*scores: Sequence[float]) -> list[float]:
    """Reciprocal rank fusion of several scores of the same sessions: sums of ``1 / (60 + rank)``.

    Equal scores share the rank of the first of them, so that a score which tells nothing changes
    nothing.
    """
    total = [0.0] * len(scores[0]) if scores else []
    for each in scores:
        ordered = sorted(each, reverse=True)
        for at, score in enumerate(each):
            total[at] += 1 / (SMOOTHING + 1 + ordered.index(score))
    return total


def best(scores: Sequence[float], count: int) -> list[int]:
    """The places of the ``count`` largest scores, in order of place; of equals the later ones."""
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], -at))
    return sorted(ranked[:count])
