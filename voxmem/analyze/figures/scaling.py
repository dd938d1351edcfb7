"""Accuracy and retention over history length, by evidence type (VoxMem, Figure 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.lengths import dodge, length_axis, place, spread
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling, percents
from voxmem.analyze.figures.style import MARKERS, SMALL, width
from voxmem.analyze.figures.words import evidence_name, listed
from voxmem.analyze.labels import budgets_ascending, ordered, percent
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.scaling import ScalingRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (2.75, 2.6)
_LEFT, _TOP, _BOTTOM = 0.5, 0.3, 0.52
_LABEL_GAP = 0.15
"""Inches between two labels at the ends of lines."""
_MOST_KEPT = 1.6
"""Of little, much may be gained: intervals beyond are cut."""


def draw(table: Table[ScalingRow], *, policy: Policy = "paper") -> Figure:
    """Accuracy left, retention right; the bars are intervals.

    Raises:
        NothingToDraw: No model has a full run.
    """
    rows = _rows(table, policy)
    kinds, budgets = _axes(rows)
    labels = max(width(f"{evidence_name(kind)} 00.0", SMALL) for kind in kinds) + 0.25
    across = _PANEL[0] + labels
    sheet = Sheet(2 * (_LEFT + across), _TOP + _PANEL[1] + _BOTTOM)
    panels: tuple[tuple[str, Callable[[ScalingRow], Interval]], ...] = (
        ("Accuracy, %", lambda row: row.accuracy),
        (f"Retention, % of {budgets[0]}", lambda row: row.retention),
    )
    for at, (title, read) in enumerate(panels):
        axes = sheet.axes(_LEFT + at * (_LEFT + across), _TOP, *_PANEL, title=title)
        highest = [read(row).high or read(row).value or 0.0 for row in rows]
        percents(axes, ceiling(highest) if at == 0 else min(max(1.0, *highest), _MOST_KEPT) + 0.02)
        length_axis(axes, budgets)
        for n, kind in enumerate(kinds):
            own = {row.budget: read(row) for row in rows if row.evidence == kind}
            _line(axes, own, kind, dodge(n, len(kinds), 0.16), MARKERS[n])
        _label_ends(axes, [(kind, _last(rows, kind, read)) for kind in kinds], budgets[-1])
    return sheet.figure


def describe(table: Table[ScalingRow], *, policy: Policy = "paper") -> str:
    """Every point of both panels."""
    rows = _rows(table, policy)
    return listed(
        f"Per cent right, and per cent of the accuracy at {_axes(rows)[1][0]} that is kept; mean "
        f"of {rows[0].entrants} models",
        (
            f"{evidence_name(row.evidence)} at {row.budget}: {_said(row.accuracy)}, "
            f"kept {_said(row.retention)}"
            for row in rows
        ),
    )


def _rows(table: Table[ScalingRow], policy: Policy) -> list[ScalingRow]:
    rows = [row for row in table.rows if row.policy == policy]
    if not any(row.accuracy.value is not None for row in rows):
        raise NothingToDraw("no model has a full run")
    if len({row.budget for row in rows}) < 2:
        raise NothingToDraw(f"there is one history length only, {rows[0].budget}")
    return rows


def _axes(rows: Sequence[ScalingRow]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return ordered(row.evidence for row in rows), budgets_ascending(row.budget for row in rows)


def _line(axes: Axes, points: dict[str, Interval], kind: str, shift: float, marker: str) -> None:
    known = {budget: one for budget, one in points.items() if one.value is not None}
    colour = colours.evidence(kind).light
    places = [place(budget) + shift for budget in known]
    values = [one.value or 0.0 for one in known.values()]
    for x, one in zip(places, known.values(), strict=True):
        if one.low is not None and one.high is not None:
            axes.plot([x, x], [one.low, one.high], color=colour, linewidth=0.9, alpha=0.55)
    axes.plot(
        places, values, color=colour, marker=marker, linestyle="--" if kind == "all" else "-",
        markeredgecolor=colours.GROUND.light, markeredgewidth=0.6,
    )  # fmt: skip


def _last(
    rows: Sequence[ScalingRow], kind: str, read: Callable[[ScalingRow], Interval]
) -> float | None:
    values = [read(row).value for row in rows if row.evidence == kind]
    return next((value for value in reversed(values) if value is not None), None)


def _label_ends(axes: Axes, ends: Sequence[tuple[str, float | None]], budget: str) -> None:
    low, high = axes.get_ylim()
    known = [(kind, value) for kind, value in ends if value is not None]
    heights = spread(
        [value for _, value in known], _LABEL_GAP * (high - low) / _PANEL[1], low, high
    )
    for (kind, value), y in zip(known, heights, strict=True):
        axes.text(
            place(budget) + 0.3, y, f"{evidence_name(kind)} {percent(value)}", fontsize=SMALL,
            va="center_baseline", color=colours.evidence(kind).light,
        )  # fmt: skip


def _said(one: Interval) -> str:
    if one.low is None or one.high is None:
        return percent(one.value)
    return f"{percent(one.value)} ({percent(one.low)} to {percent(one.high)})"
