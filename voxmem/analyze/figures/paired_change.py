"""From the shortest to the longest history, on the same items (VoxMem, Table 18)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling, percents
from voxmem.analyze.figures.style import SMALL, fitted, width
from voxmem.analyze.figures.words import evidence_name, interval, listed, signed
from voxmem.analyze.labels import percent
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import ALL
from voxmem.analyze.tables.paired_change import PairedChangeRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.24
_PLOT = 3.0
_NAMES = 2.4
_COLUMN = 1.4
_HEAD, _FOOT = 0.3, 0.48


def draw(table: Table[PairedChangeRow], *, policy: Policy = "paper") -> Figure:
    """Means by evidence type above, models below: accuracy at both ends, what was lost and kept.

    Raises:
        NothingToDraw: No model was run at two budgets.
    """
    rows = _rows(table, policy)
    names = [fitted(_name(row), _NAMES) for row in rows]
    left = max(map(width, names)) + 0.14
    gap = 1 if 0 < sum(row.entrant == ALL for row in rows) < len(rows) else 0
    places = [at + (gap if row.entrant != ALL else 0) for at, row in enumerate(rows)]
    high = (len(rows) + gap) * _ROW
    sheet = Sheet(left + _PLOT + 2 * _COLUMN + 0.1, _HEAD + high + _FOOT)
    axes = sheet.axes(left, _HEAD, _PLOT, high)
    axes.set_ylim(len(rows) + gap - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    percents(axes, ceiling([n for row in rows for n in (row.before, row.after) if n]), "x")
    axes.set_xlabel(f"Accuracy, %:  ● {rows[0].shortest}   ○ {rows[0].longest}")
    for x, words in ((1, "Lost, points"), (2, "Kept, %")):
        sheet.text(
            left + _PLOT + x * _COLUMN, 0.06, words, ha="right", fontsize=SMALL,
            color=colours.MUTED.light,
        )  # fmt: skip
    for row, name, place in zip(rows, names, places, strict=True):
        y = _HEAD + (place + 0.5) * _ROW
        _dumbbell(axes, place, row)
        sheet.text(left - 0.1, y, name, ha="right", va="center_baseline")
        for x, words in ((1, _said(row.drop)), (2, _said(row.retention))):
            sheet.text(
                left + _PLOT + x * _COLUMN, y, words, ha="right", va="center_baseline",
                fontsize=SMALL,
            )  # fmt: skip
    return sheet.figure


def describe(table: Table[PairedChangeRow], *, policy: Policy = "paper") -> str:
    """Every row: both ends, what was lost, what was kept."""
    rows = _rows(table, policy)
    return listed(
        f"Per cent right at {rows[0].shortest} and at {rows[0].longest}",
        (
            f"{_name(row)}: {percent(row.before)} to {percent(row.after)}, "
            f"lost {_said(row.drop)} points, kept {_said(row.retention)} per cent"
            for row in rows
        ),
    )


def _rows(table: Table[PairedChangeRow], policy: Policy) -> Sequence[PairedChangeRow]:
    rows = [
        row
        for row in table.rows
        if row.policy == policy and row.before is not None and row.after is not None
    ]
    if not rows:
        raise NothingToDraw("no model was run at two history lengths")
    return rows


def _name(row: PairedChangeRow) -> str:
    if row.entrant != ALL:
        return row.entrant
    over = f", mean of {row.entrants}" if row.entrants > 1 else ""
    return f"{evidence_name(row.evidence)}{over}"


def _dumbbell(axes: Axes, y: int, row: PairedChangeRow) -> None:
    colour = (colours.evidence(row.evidence) if row.entrant == ALL else colours.OVERALL).light
    before, after = row.before or 0.0, row.after or 0.0
    axes.plot([before, after], [y, y], color=colour, linewidth=2.2, alpha=0.45)
    for value, face in ((before, colour), (after, colours.GROUND.light)):
        axes.plot(
            [value], [y], marker="o", linestyle="", markersize=6, markerfacecolor=face,
            markeredgecolor=colour, markeredgewidth=1.2, clip_on=False,
        )  # fmt: skip


def _said(one: Interval) -> str:
    return f"{signed(one.value)}{interval(one.low, one.high)}"
