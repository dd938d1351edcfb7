"""Accuracy by where the evidence is in the history, and by how long that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.cells import Cell, heat_key, matrix
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling
from voxmem.analyze.figures.style import SMALL
from voxmem.analyze.figures.words import interval, listed
from voxmem.analyze.labels import budgets_ascending, ordered, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.groups import ALL
from voxmem.analyze.tables.positions import PositionRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELL = (1.1, 0.52)
_LEFT, _HEAD = 0.75, 0.62


def draw(table: Table[PositionRow], *, policy: Policy = "paper") -> Figure:
    """All models: a row a budget, a column a part of the history, the oldest at the left.

    Raises:
        NothingToDraw: It is not known where the evidence is, or no model has a number.
    """
    rows = _rows(table, policy)
    budgets = budgets_ascending(row.budget for row in rows)
    parts = sorted(ordered((row.start, row.end) for row in rows))
    at = {(row.budget, row.start): row for row in rows}
    scale = ceiling([row.accuracy.value or 0.0 for row in rows])
    wide, high = len(parts) * _CELL[0], len(budgets) * _CELL[1]
    sheet = Sheet(_LEFT + wide + 0.1, _HEAD + high + 0.3)
    sheet.text(_LEFT, 0.03, "Where the evidence is: oldest session (0 %) to newest (100 %)")
    for place, (start, end) in enumerate(parts):
        sheet.text(
            _LEFT + (place + 0.5) * _CELL[0], 0.36, _part(start, end), ha="center",
            color=colours.MUTED.light, fontsize=SMALL,
        )  # fmt: skip
    for place, budget in enumerate(budgets):
        sheet.text(
            _LEFT - 0.1, _HEAD + (place + 0.5) * _CELL[1], budget, ha="right",
            va="center_baseline",
        )  # fmt: skip
    cells = [
        [
            Cell(row.accuracy.value, f"n = {row.questions}")
            if (row := at.get((budget, start)))
            else None
            for start, _ in parts
        ]
        for budget in budgets
    ]
    matrix(sheet, _LEFT, _HEAD, _CELL, cells, scale, size=11)
    heat_key(sheet, _LEFT, sheet.height - 0.2, scale, "Mean accuracy")
    return sheet.figure


def describe(table: Table[PositionRow], *, policy: Policy = "paper") -> str:
    """Every cell with its number and interval."""
    return listed(
        "Per cent right on answerable items, all models, by where the evidence is in the history",
        (
            f"at {row.budget}, {_part(row.start, row.end)}: {percent(row.accuracy.value)}"
            f"{interval(row.accuracy.low, row.accuracy.high)} of {row.questions} questions"
            for row in _rows(table, policy)
        ),
    )


def _rows(table: Table[PositionRow], policy: Policy) -> list[PositionRow]:
    rows = [row for row in table.rows if (row.entrant, row.policy) == (ALL, policy)]
    if not table.rows:
        raise NothingToDraw("it is not known where the evidence is")
    if not any(row.accuracy.value is not None for row in rows):
        raise NothingToDraw("no model has a number")
    return rows


def _part(start: float, end: float) -> str:
    return f"{100 * start:.0f}–{100 * end:.0f} %"
