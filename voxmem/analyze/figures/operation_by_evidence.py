"""Operation × evidence type: at one budget (VoxMem, Figure 5), and at each (Figure 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.cells import Cell, heat_key, matrix
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling
from voxmem.analyze.figures.style import SMALL
from voxmem.analyze.figures.words import evidence_name, listed
from voxmem.analyze.labels import budget_tokens, budgets_ascending, label, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.operation_by_evidence import CellRow
from voxmem.taxonomy import EvidenceType, Operation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMES = 1.95
_LARGE = (1.36, 0.56)
_SMALL = (0.62, 0.42)
_SHORT = ("Semant.", "Speaker", "Paraling.", "Environ.")
_ABBREVIATED = {
    Operation.INFORMATION_EXTRACTION: "IE",
    Operation.MULTI_SESSION_REASONING: "MSR",
    Operation.TEMPORAL_EVOLUTION_TRACKING: "TET",
    Operation.ANSWER_REFUSAL: "AR",
}
_PER_ROW = 2


def draw(table: Table[CellRow], *, policy: Policy = "paper") -> Figure:
    """The means at the longest of the budgets that most models got through.

    Raises:
        NothingToDraw: No model has a full run.
    """
    budget, rows = _best(table, policy)
    scale = ceiling([row.accuracy.value or 0.0 for row in rows])
    sheet = Sheet(_NAMES + 4 * _LARGE[0] + 0.1, 0.62 + 4 * _LARGE[1] + 0.32)
    sheet.text(0.02, 0.03, f"{budget}, {_over(rows)}", fontsize=SMALL, color=colours.MUTED.light)
    for at, kind in enumerate(EvidenceType):
        sheet.text(
            _NAMES + (at + 0.5) * _LARGE[0], 0.36, evidence_name(kind), ha="center",
            color=colours.EVIDENCE[kind].light, fontweight="bold",
        )  # fmt: skip
    for at, operation in enumerate(Operation):
        sheet.text(
            _NAMES - 0.1, 0.62 + (at + 0.5) * _LARGE[1], label(operation), ha="right",
            va="center_baseline",
        )  # fmt: skip
    matrix(sheet, _NAMES, 0.62, _LARGE, _cells(rows, "n = {}"), scale, size=12)
    heat_key(sheet, _NAMES, sheet.height - 0.2, scale, "Mean accuracy")
    return sheet.figure


def describe(table: Table[CellRow], *, policy: Policy = "paper") -> str:
    """Every cell with its number."""
    budget, rows = _best(table, policy)
    return listed(f"Per cent right at {budget}, {_over(rows)}", map(_said, rows))


def draw_over_lengths(table: Table[CellRow], *, policy: Policy = "paper") -> Figure:
    """One panel a budget: the same models and items in each.

    Raises:
        NothingToDraw: There is one budget only, or no model has a full run.
    """
    rows = _rows(table, policy)
    budgets = _several(rows)
    scale = ceiling([row.accuracy.value or 0.0 for row in rows])
    left, head, gap = 0.45, 0.5, 0.35
    wide, high = 4 * _SMALL[0], 4 * _SMALL[1]
    lines = -(-len(budgets) // _PER_ROW)
    across = min(len(budgets), _PER_ROW)
    sheet = Sheet(left + across * (wide + gap), lines * (head + high + 0.12) + 0.28)
    for at, budget in enumerate(budgets):
        x = left + (at % _PER_ROW) * (wide + gap)
        y = head + (at // _PER_ROW) * (head + high + 0.12)
        here = [row for row in rows if row.budget == budget]
        sheet.text(x, y - 0.46, f"{budget}, {_over(here)}", fontweight="bold")
        for place, short in enumerate(_SHORT):
            sheet.text(
                x + (place + 0.5) * _SMALL[0], y - 0.2, short, ha="center", fontsize=SMALL,
                color=list(colours.EVIDENCE.values())[place].light,
            )  # fmt: skip
        for place, operation in enumerate(Operation if x == left else ()):
            sheet.text(
                x - 0.08, y + (place + 0.5) * _SMALL[1], _ABBREVIATED[operation], ha="right",
                va="center_baseline",
            )  # fmt: skip
        matrix(sheet, x, y, _SMALL, _cells(here, "{}"), scale)
    heat_key(sheet, left, sheet.height - 0.2, scale, "Mean accuracy")
    return sheet.figure


def describe_over_lengths(table: Table[CellRow], *, policy: Policy = "paper") -> str:
    """Every cell at every budget."""
    rows = _rows(table, policy)
    _several(rows)
    return listed(
        "Per cent right, the same models and items at every budget. "
        + "; ".join(f"{short} is {label(one).lower()}" for one, short in _ABBREVIATED.items()),
        (f"at {row.budget} {_said(row)}" for row in rows),
    )


def _rows(table: Table[CellRow], policy: Policy) -> list[CellRow]:
    rows = [row for row in table.rows if row.policy == policy]
    if not any(row.accuracy.entrants for row in rows):
        raise NothingToDraw("no model has a full run")
    return rows


def _several(rows: Sequence[CellRow]) -> tuple[str, ...]:
    budgets = budgets_ascending(row.budget for row in rows)
    if len(budgets) < 2:
        raise NothingToDraw(f"there is one history length only, {budgets[0]}")
    return budgets


def _best(table: Table[CellRow], policy: Policy) -> tuple[str, list[CellRow]]:
    rows = _rows(table, policy)
    best = max(rows, key=lambda row: (row.accuracy.entrants, budget_tokens(row.budget)))
    return best.budget, [row for row in rows if row.budget == best.budget]


def _over(rows: Sequence[CellRow]) -> str:
    count = max((row.accuracy.entrants for row in rows), default=0)
    return f"mean of {count} models" if count != 1 else "one model"


def _cells(rows: Sequence[CellRow], below: str) -> list[list[Cell | None]]:
    at = {(row.operation, row.evidence): row for row in rows}
    return [
        [
            Cell(row.accuracy.value, below.format(row.n))
            if (row := at.get((operation, kind)))
            else None
            for kind in EvidenceType
        ]
        for operation in Operation
    ]


def _said(row: CellRow) -> str:
    cell = f"{label(row.operation)} over {evidence_name(row.evidence).lower()}"
    return f"{cell}: {percent(row.accuracy.value)} of {row.n} questions"
