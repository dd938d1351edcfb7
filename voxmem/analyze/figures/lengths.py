"""History length as an axis: the logarithm of the budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from voxmem.analyze.labels import budget_tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN = 0.35
"""Doublings left free at either end."""


def place(budget: str) -> float:
    """Where a budget stands: 1 apart is twice as long."""
    return math.log2(budget_tokens(budget) / 1000)


def length_axis(axes: Axes, budgets: Sequence[str]) -> None:
    """The horizontal axis, for budgets in order."""
    places = [place(one) for one in budgets]
    axes.set_xlim(places[0] - _MARGIN, places[-1] + _MARGIN)
    axes.set_xticks(places, list(budgets))
    axes.set_xlabel("History length")


def dodge(at: int, count: int, room: float = 0.3) -> float:
    """How far the marks of one of several series are moved, so that equal numbers are seen."""
    return room * ((at + 0.5) / count - 0.5) if count else 0.0


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places moved apart until each is ``gap`` from the next, as little as a few passes find, and
    kept between ``low`` and ``high`` where there is room for all."""
    order = sorted(range(len(places)), key=lambda at: (places[at], at))
    moved = [float(one) for one in places]
    for _ in range(100):
        still = True
        for below, above in pairwise(order):
            lack = gap - (moved[above] - moved[below])
            if lack > 1e-9:
                moved[below] -= lack / 2
                moved[above] += lack / 2
                still = False
        if still:
            break
    if order:
        shift = max(low - moved[order[0]], 0.0) - max(moved[order[-1]] - high, 0.0)
        moved = [one + shift for one in moved]
    return moved
