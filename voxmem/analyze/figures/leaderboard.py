"""Overall accuracy with intervals; what the items cannot tell apart is banded together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling, key_height, percents
from voxmem.analyze.figures.style import MARKERS, SMALL, fitted, width
from voxmem.analyze.figures.words import GROUPS, group_name, interval, listed
from voxmem.analyze.labels import budgets_ascending, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.leaderboard import LeaderboardRow

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.2
_PLOT = 1.7
_RANK, _NUMBERS = 0.5, 1.25
"""Inches for the columns left and right of the plot."""
_NAMES = 2.0
_HEAD, _FOOT, _GAP = 0.48, 0.55, 0.35
_PER_LINE = 2


def draw(table: Table[LeaderboardRow], *, policy: Policy = "paper") -> Figure:
    """A panel a budget, best first; those without a rank come last.

    Raises:
        NothingToDraw: Nobody has a number.
    """
    panels = _panels(table, policy)
    rows = [row for of in panels.values() for row in of]
    groups = [one for one in GROUPS if one in {_group(row) for row in rows}]
    names = max(min(width(row.entrant), _NAMES) for row in rows) + 0.1
    across = _RANK + names + _PLOT + _NUMBERS
    columns = min(len(panels), _PER_LINE)
    wide = columns * (across + _GAP) - _GAP + 0.05
    key = key_height([group_name(one) for one in groups], wide) + 0.08 if len(groups) > 1 else 0.0
    of_lines = [list(panels)[at : at + _PER_LINE] for at in range(0, len(panels), _PER_LINE)]
    heights = [max(len(panels[one]) for one in line) * _ROW for line in of_lines]
    sheet = Sheet(wide, key + sum(heights) + len(heights) * (_HEAD + _FOOT))
    if key:
        sheet.key(0.02, 0.03, {group_name(one): _sign(one) for one in groups})
    scale = ceiling([row.interval.high or row.overall.value or 0.0 for row in rows])
    top = key
    for line, high in zip(of_lines, heights, strict=True):
        for at, budget in enumerate(line):
            left = at * (across + _GAP)
            _panel(sheet, left, top + _HEAD, names, budget, panels[budget], scale)
        top += high + _HEAD + _FOOT
    return sheet.figure


def describe(table: Table[LeaderboardRow], *, policy: Policy = "paper") -> str:
    """Every row of every budget."""
    return listed(
        "Per cent right on all items, with its interval, best first",
        (
            f"at {budget} {row.place} {row.entrant}: {percent(row.overall.value)}"
            f"{_interval(row)}" + ("" if row.first is not None else ", not ranked")
            for budget, rows in _panels(table, policy).items()
            for row in rows
        ),
    )


def _panels(table: Table[LeaderboardRow], policy: Policy) -> dict[str, list[LeaderboardRow]]:
    rows = [row for row in table.rows if row.policy == policy and row.overall.value is not None]
    if not rows:
        raise NothingToDraw("no entrant has a number")
    return {
        budget: sorted((row for row in rows if row.budget == budget), key=_order)
        for budget in budgets_ascending(row.budget for row in rows)
    }


def _order(row: LeaderboardRow) -> tuple[bool, float, str]:
    return (row.first is None, -(row.overall.value or 0.0), row.entrant)


def _panel(
    sheet: Sheet,
    left: float,
    top: float,
    names: float,
    budget: str,
    rows: Sequence[LeaderboardRow],
    scale: float,
) -> None:
    plot = left + _RANK + names
    sheet.text(left + 0.02, top - 0.42, budget, fontweight="bold")
    for x, words, side in (
        (left + 0.02, "Place", "left"),
        (plot + _PLOT + _NUMBERS, "% right [interval]", "right"),
    ):
        sheet.text(x, top - 0.2, words, ha=side, fontsize=SMALL, color=colours.MUTED.light)
    axes = sheet.axes(plot, top, _PLOT, _ROW * len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks([])
    percents(axes, scale, "x")
    axes.set_xlabel("Accuracy, %")
    axes.spines["left"].set_visible(False)
    _bands(axes, rows, (plot - left) / _PLOT)
    for at, row in enumerate(rows):
        y = top + (at + 0.5) * _ROW
        look = {"va": "center_baseline"}
        dim = colours.TEXT if row.first is not None else colours.MUTED
        sheet.text(left + 0.02, y, row.place, fontsize=SMALL, color=colours.MUTED.light, **look)
        sheet.text(plot - 0.08, y, fitted(row.entrant, _NAMES), ha="right", color=dim.light, **look)
        sheet.text(
            plot + _PLOT + _NUMBERS, y, f"{percent(row.overall.value)}{_interval(row)}",
            ha="right", fontsize=SMALL, color=dim.light, **look,
        )  # fmt: skip
        _mark(axes, at, row)


def _bands(axes: Axes, rows: Sequence[LeaderboardRow], reach: float) -> None:
    """Those that share a place are on one ground: every second, from the names to the numbers."""
    from matplotlib.patches import Rectangle

    start, shaded = 0, False
    for (_, ranked), members in groupby(rows, key=lambda row: (row.place, row.first is not None)):
        count = len(list(members))
        shaded = not shaded and ranked
        if shaded:
            # In shares of the panel's width, across the columns at its sides.
            box = Rectangle(
                (-reach, start - 0.5), reach + 1 + _NUMBERS / _PLOT, count,
                transform=axes.get_yaxis_transform(), facecolor=colours.LOW.light, linewidth=0,
                clip_on=False, zorder=-1,
            )  # fmt: skip
            axes.add_patch(box)
        start += count


def _mark(axes: Axes, at: int, row: LeaderboardRow) -> None:
    colour = (colours.OVERALL if row.first is not None else colours.MUTED).light
    low, high = row.interval.low, row.interval.high
    if low is not None and high is not None:
        axes.plot([low, high], [at, at], color=colour, linewidth=1.1)
    axes.plot(
        [row.overall.value or 0.0], [at], linestyle="", marker=_marker(_group(row)), color=colour,
        clip_on=False,
        markerfacecolor=colour if row.first is not None else colours.GROUND.light,
    )  # fmt: skip


def _group(row: LeaderboardRow) -> str:
    """One that nobody knows is another system."""
    return row.group if row.group in GROUPS else ""


def _marker(group: str) -> str:
    return MARKERS[GROUPS.index(group)]


def _sign(group: str) -> Artist:
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="", marker=_marker(group), color=colours.OVERALL.light)


def _interval(row: LeaderboardRow) -> str:
    return interval(row.interval.low, row.interval.high)
