"""Spearman's rank correlation of numbers of which some are lacking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Correlation(NamedTuple):
    """``rho`` and its two-sided ``p``; ``None``: there is no such number."""

    n: int
    rho: float | None = None
    p: float | None = None


def spearman(left: Sequence[float | None], right: Sequence[float | None]) -> Correlation:
    """Over the pairs that have both numbers; none with fewer than three, or all equal on a side."""
    from scipy.stats import spearmanr

    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    if len(pairs) < 3 or any(len({pair[side] for pair in pairs}) < 2 for side in (0, 1)):
        return Correlation(len(pairs))
    found = spearmanr([a for a, _ in pairs], [b for _, b in pairs])
    return Correlation(len(pairs), float(found.statistic), float(found.pvalue))
