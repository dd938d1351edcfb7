"""The share of all things that a sample tells, where some were likelier to be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from voxmem.records import Record

_Z = 1.959964


class Share(Record):
    """A share with its interval of 95 %."""

    value: float
    low: float
    high: float
    n: int
    """Things that it rests on."""
    effective: float
    """How many, drawn alike, would tell as much (Kish)."""


def share(weighted: Iterable[tuple[float, bool]]) -> Share | None:
    """The share that is true; ``None`` of nothing.

    Each thing stands for as many as its weight says (Hájek's ratio). The interval is Wilson's, at
    the effective size of a sample with these weights.
    """
    pairs = list(weighted)
    if not pairs:
        return None
    total = math.fsum(weight for weight, _ in pairs)
    value = math.fsum(weight for weight, true in pairs if true) / total
    effective = effective_size(weight for weight, _ in pairs)
    low, high = _wilson(value, effective)
    return Share(value=value, low=low, high=high, n=len(pairs), effective=effective)


def effective_size(weights: Iterable[float]) -> float:
    """The sum of the weights, squared, over the sum of their squares (Kish, 1965)."""
    given = list(weights)
    squares = math.fsum(weight**2 for weight in given)
    return math.fsum(given) ** 2 / squares if squares else 0.0


def _wilson(value: float, number: float) -> tuple[float, float]:
    spread = _Z * math.sqrt(value * (1 - value) / number + _Z**2 / (4 * number**2))
    middle, scale = value + _Z**2 / (2 * number), 1 + _Z**2 / number
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
