"""What a release holds: its matrix, its topics, its growth (VoxMem, Figure 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.cells import Cell, matrix
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet
from voxmem.analyze.figures.style import SMALL, fitted, width
from voxmem.analyze.figures.words import evidence_name, listed
from voxmem.analyze.labels import label, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.dataset import BudgetRow, CellCountRow, TopicRow, TotalRow
from voxmem.taxonomy import EvidenceType, Operation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELL = (1.36, 0.5)
_NAMES = 1.95
_PANEL = (2.05, 1.35)
_TOPIC = 0.19
_MOST_TOPICS = 20
_FACTS: dict[str, str] = {
    "questions": "questions",
    "items": "histories",
    "sessions_unique": "sessions",
    "evidence_sessions": "with evidence",
    "audio_unique": "hours of speech",
}
"""Of the totals, those that are shown large: what each is called there."""
_TOP = 0.72
_GROWTH: tuple[tuple[str, Callable[[BudgetRow], float]], ...] = (
    ("Sessions", lambda row: row.sessions_mean),
    ("Clips", lambda row: row.clips_mean),
    ("Minutes", lambda row: row.minutes_mean),
)


def draw(
    cells: Table[CellCountRow],
    budgets: Table[BudgetRow],
    topics: Table[TopicRow],
    totals: Table[TotalRow],
    *,
    policy: Policy = "paper",
) -> Figure:
    """Totals, the matrix, what one history holds at each budget; topics at the right.

    Raises:
        NothingToDraw: The release has no questions.
    """
    del policy  # what a release holds depends on none
    _check(cells)
    shown = topics.rows[:_MOST_TOPICS]
    main = max(_NAMES + 4 * _CELL[0], 3 * (_PANEL[0] + 0.35))
    names = max((width(_topic(row)) for row in shown), default=0.0)
    side = names + 1.9 if shown else 0.1
    below = _TOP + 0.6 + 4 * _CELL[1] + 0.65
    high = max(below + _PANEL[1] + 0.35, _TOP + 0.6 + len(shown) * _TOPIC + 0.1)
    sheet = Sheet(main + 0.3 + side, high)
    for at, (number, what) in enumerate(_facts(totals)):
        left = 0.02 + at * (main + 0.3 + side) / len(_FACTS)
        sheet.text(left, 0.03, number, fontsize=17)
        sheet.text(left, 0.34, what, color=colours.MUTED.light)
    _matrix(sheet, cells.rows)
    for at, (title, read) in enumerate(_GROWTH if budgets.rows else ()):
        _growth(sheet, 0.1 + at * (_PANEL[0] + 0.35), below, title, budgets.rows, read)
    if shown:
        _topics(sheet, main + 0.3 + names + 0.1, shown)
    return sheet.figure


def describe(
    cells: Table[CellCountRow],
    budgets: Table[BudgetRow],
    topics: Table[TopicRow],
    totals: Table[TotalRow],
    *,
    policy: Policy = "paper",
) -> str:
    """Totals, cells, budgets and topics, with their numbers."""
    del policy
    _check(cells)
    return listed(
        ", ".join(f"{number} {what}" for number, what in _facts(totals)),
        [
            *(
                f"{label(row.operation)} over {evidence_name(row.evidence).lower()}: "
                f"{row.questions}, {percent(row.share)} per cent"
                for row in cells.rows
            ),
            *(
                f"one history of {row.budget} holds {row.sessions_mean:.1f} sessions, "
                f"{row.clips_mean:.1f} clips and {row.minutes_mean:.1f} minutes of audio"
                for row in budgets.rows
            ),
            *(f"about {_topic(row)}: {row.questions}" for row in topics.rows),
        ],
    )


def _check(cells: Table[CellCountRow]) -> None:
    if not any(row.questions for row in cells.rows):
        raise NothingToDraw("the release has no questions")


def _facts(totals: Table[TotalRow]) -> list[tuple[str, str]]:
    known = {row.quantity: row.value for row in totals.rows}
    return [
        (f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.1f}", what)
        for name, what in _FACTS.items()
        if (value := known.get(name)) is not None
    ]


def _matrix(sheet: Sheet, rows: Sequence[CellCountRow]) -> None:
    sheet.text(0.02, _TOP + 0.03, "Questions by operation and evidence, %", fontweight="bold")
    at = {(row.operation, row.evidence): row for row in rows}
    for place, kind in enumerate(EvidenceType):
        sheet.text(
            _NAMES + (place + 0.5) * _CELL[0], _TOP + 0.36, evidence_name(kind), ha="center",
            color=colours.EVIDENCE[kind].light, fontweight="bold",
        )  # fmt: skip
    for place, operation in enumerate(Operation):
        sheet.text(
            _NAMES - 0.1, _TOP + 0.6 + (place + 0.5) * _CELL[1], label(operation), ha="right",
            va="center_baseline",
        )  # fmt: skip
    numbers = [
        [
            Cell(row.share, f"n = {row.questions}") if (row := at.get((one, kind))) else None
            for kind in EvidenceType
        ]
        for one in Operation
    ]
    # Half of the scale is left to the dark end: shares of cells are small.
    scale = 1.6 * max((row.share or 0.0 for row in rows), default=1.0)
    matrix(sheet, _NAMES, _TOP + 0.6, _CELL, numbers, scale, size=11)


def _growth(
    sheet: Sheet,
    left: float,
    top: float,
    title: str,
    rows: Sequence[BudgetRow],
    read: Callable[[BudgetRow], float],
) -> None:
    values = [read(row) for row in rows]
    axes = sheet.axes(left, top, *_PANEL, title=f"{title} in a history")
    axes.bar(range(len(rows)), values, width=0.62, color=colours.heat(0.75))
    axes.set_xticks(range(len(rows)), [row.budget for row in rows])
    axes.set_yticks([])
    axes.set_ylim(0, 1.18 * max([*values, 1e-9]))
    axes.set_xlim(-0.6, max(len(rows), 3) - 0.4)
    axes.spines["left"].set_visible(False)
    for at, value in enumerate(values):
        words = f"{value:.1f}" if value < 100 else f"{value:.0f}"
        axes.annotate(words, (at, value), (0, 3), textcoords="offset points", ha="center")


def _topics(sheet: Sheet, left: float, rows: Sequence[TopicRow]) -> None:
    sheet.text(left, _TOP + 0.03, "Questions by topic", fontweight="bold")
    axes = sheet.axes(left, _TOP + 0.36, 1.2, _TOPIC * len(rows))
    counts = [row.questions for row in rows]
    axes.barh(range(len(rows)), counts, height=0.62, color=colours.heat(0.55))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, max([*counts, 1]))
    axes.set_xticks([])
    axes.set_yticks(range(len(rows)), [_topic(row) for row in rows])
    axes.tick_params(axis="y", labelcolor=colours.TEXT.light)
    axes.spines["bottom"].set_visible(False)
    for at, count in enumerate(counts):
        axes.annotate(
            f"{count}", (count, at), (4, 0), textcoords="offset points", fontsize=SMALL,
            va="center_baseline", color=colours.MUTED.light,
        )  # fmt: skip


def _topic(row: TopicRow) -> str:
    return fitted(label(row.topic), 1.8)
