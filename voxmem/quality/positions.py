"""Whether position tells a session's role: it is uniform, for every role at every budget
(VoxMem, B.6).

A position is one of as many as there are sessions, so it is spread evenly over its part of the
history: session ``i`` of ``n`` lies somewhere in ``[i/n, (i+1)/n)``. If every order is equally
likely, that is exactly uniform on [0, 1), whatever the length of the history, and the
Kolmogorov–Smirnov test applies as it stands. Sessions of one history exclude each other, which
makes their positions a little too even: the test then rejects less often than it says, never more.

Roles times budgets are so many tests that one of them would fail by chance in one build of sixty,
at 0.001 each. Every p value is therefore multiplied by the number of tests (Bonferroni): a build
without fault fails once in a thousand. Refusal variants stand where their sources stand and are
left out, since the same positions twice are no more evidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.keys import rng
from voxmem.records import Check, History, Role

THRESHOLD = 0.001
"""Of the p value after correction."""
ENOUGH = 50
"""Placements from which on a role is tested."""


def relative_positions(histories: Iterable[History]) -> dict[tuple[str, Role], list[float]]:
    """Budget and role → the relative position of every placement, from 0 (first) to 1 (last)."""
    found: dict[tuple[str, Role], list[float]] = {}
    for history in histories:
        draw = rng("position", history.item_id)
        count = len(history.placements)
        for at, place in enumerate(history.placements):
            positions = found.setdefault((history.budget, place.role), [])
            positions.append((at + draw.random()) / count)
    return found


def check_positions(histories: Iterable[History]) -> list[Check]:
    """``positions_uniform``, one row a role and budget with enough placements.

    Args:
        histories: Of answerable questions.
    """
    from scipy.stats import kstest

    tested = {
        name: positions
        for name, positions in relative_positions(histories).items()
        if len(positions) >= ENOUGH
    }
    rows = []
    for (budget, role), positions in sorted(tested.items()):
        result = kstest(positions, "uniform")
        corrected = min(1.0, float(result.pvalue) * len(tested))
        rows.append(
            Check(
                subject=f"{role} at {budget}",
                check="positions_uniform",
                passed=corrected >= THRESHOLD,
                value=corrected,
                threshold=THRESHOLD,
                detail=f"{len(positions)} placements, largest difference "
                f"{result.statistic:.4f}, p = {result.pvalue:.3g} before correction",
            )
        )
    return rows
