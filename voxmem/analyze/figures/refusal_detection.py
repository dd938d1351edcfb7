"""Refusal as detection: abstaining where it is right against abstaining where it is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.entrants import PROTOCOL
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, percents
from voxmem.analyze.figures.style import SMALL, fitted, width
from voxmem.analyze.figures.words import listed, minus
from voxmem.analyze.labels import NO_NUMBER, budgets_ascending, percent
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.refusal_detection import RefusalDetectionRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = 2.5
_LEFT, _HEAD, _FOOT, _GAP = 0.55, 0.3, 0.55, 0.35
_PER_ROW = 2
_SENSITIVITIES = (0.0, 1.0, 2.0, 3.0)
_ROW, _COLUMN, _NAMES = 0.2, 1.3, 2.2
_AROUND = [
    (radius * np.cos(angle), radius * np.sin(angle))
    for radius in (0.045, 0.075, 0.105)
    for angle in np.arange(8) * np.pi / 4
]
"""Where the number of a point may be, in shares of the panel, nearest first."""


def draw(table: Table[RefusalDetectionRow], *, policy: Policy = "paper") -> Figure:
    """A panel a budget, with lines of equal d′; below them every entrant's number and its d′.

    Raises:
        NothingToDraw: The replies were not read, or items of one stratum are lacking.
    """
    rows = _rows(table, policy)
    budgets = budgets_ascending(row.budget for row in rows)
    numbers = _numbers(rows)
    names = max(min(width(f"{numbers[one]}  {one}"), _NAMES) for one in numbers) + 0.1
    across = min(len(budgets), _PER_ROW)
    lines = -(-len(budgets) // _PER_ROW)
    wide = max(_LEFT + across * (_PANEL + _GAP), names + len(budgets) * _COLUMN + 0.1, 3.4)
    below = lines * (_HEAD + _PANEL + _FOOT) + 0.1
    sheet = Sheet(wide, below + 0.32 + _ROW * len(numbers))
    for at, budget in enumerate(budgets):
        left = _LEFT + (at % _PER_ROW) * (_PANEL + _GAP)
        top = _HEAD + (at // _PER_ROW) * (_HEAD + _PANEL + _FOOT)
        axes = sheet.axes(left, top, _PANEL, _PANEL, title=budget)
        _frame(axes, first=at % _PER_ROW == 0)
        _mark(axes, [row for row in rows if row.budget == budget], numbers)
    _write(sheet, below, names, rows, numbers, budgets)
    return sheet.figure


def describe(table: Table[RefusalDetectionRow], *, policy: Policy = "paper") -> str:
    """Hits, false alarms and d′ of every entrant at every budget."""
    return listed(
        "Per cent of items that cannot be answered, and of items that can, at which an entrant "
        "abstains",
        (
            f"{row.entrant} at {row.budget}: {percent(row.hits.value)} and "
            f"{percent(row.false_alarms.value)}, d′ {_plain(row.d_prime)}"
            for row in _rows(table, policy)
        ),
    )


def _rows(table: Table[RefusalDetectionRow], policy: Policy) -> list[RefusalDetectionRow]:
    rows = [
        row
        for row in table.rows
        if row.policy == policy
        and row.arm == PROTOCOL
        and row.hits.value is not None
        and row.false_alarms.value is not None
    ]
    if not rows:
        raise NothingToDraw("nobody's abstentions are known on both kinds of items")
    return rows


def _numbers(rows: Sequence[RefusalDetectionRow]) -> dict[str, int]:
    """Each entrant’s number: 1 is the most sensitive, at the shortest budget that it was run at."""
    best: dict[str, float] = {}
    for row in rows:
        value = row.d_prime.value
        best.setdefault(row.entrant, float("-inf") if value is None else value)
    order = sorted(best, key=lambda name: (-best[name], name))
    return {name: at for at, name in enumerate(order, start=1)}


def _frame(axes: Axes, *, first: bool) -> None:
    from scipy.special import ndtr, ndtri

    percents(axes, 1.0, "x")
    percents(axes, 1.0, "y")
    axes.grid(visible=False)
    axes.spines[:].set_visible(True)
    axes.set_xlabel("Abstains on answerable items, %")
    if first:
        axes.set_ylabel("Abstains on refusal items, %")
    else:
        axes.set_yticklabels([])
    alarms = np.linspace(0.001, 0.999, 120)
    for d in _SENSITIVITIES:
        hits = ndtr(ndtri(alarms) + d)
        axes.plot(
            alarms, hits, color=colours.AXIS.light, linewidth=0.7,
            linestyle="-" if d == 0 else (0, (4, 3)),
        )  # fmt: skip
        # High up, where there are few points.
        y = 0.93 if d else 0.82
        x = float(ndtr(ndtri(y) - d))
        axes.text(
            x + 0.015, y - 0.015, f"d′ {d:g}", fontsize=SMALL, va="top",
            color=colours.MUTED.light,
        )  # fmt: skip


def _mark(axes: Axes, rows: Sequence[RefusalDetectionRow], numbers: Mapping[str, int]) -> None:
    points = [(row.false_alarms.value or 0.0, row.hits.value or 0.0) for row in rows]
    axes.plot(
        [x for x, _ in points], [y for _, y in points], linestyle="", marker="o", markersize=4,
        color=colours.OVERALL.light, clip_on=False,
    )  # fmt: skip
    taken = list(points)
    there: dict[tuple[float, float], list[int]] = {}
    for row, point in zip(rows, points, strict=True):
        there.setdefault(point, []).append(numbers[row.entrant])
    for point, several in there.items():
        x, y = _free(point, taken)
        taken.append((x, y))
        # To the right, several numbers stay clear of their point.
        side = "left" if len(several) > 1 else "center"
        axes.text(x, y, _spans(several), fontsize=SMALL, ha=side, va="center_baseline")


def _spans(numbers: Iterable[int]) -> str:
    """ "1–3, 7"."""
    spans: list[list[int]] = []
    for one in sorted(numbers):
        if spans and one == spans[-1][-1] + 1:
            spans[-1].append(one)
        else:
            spans.append([one])
    return ", ".join(f"{one[0]}–{one[-1]}" if len(one) > 1 else f"{one[0]}" for one in spans)


def _free(point: tuple[float, float], taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A place beside a point, as far as can be from what is there."""
    places = [(point[0] + x, point[1] + y) for x, y in _AROUND]
    inside = [one for one in places if all(0.03 <= side <= 0.97 for side in one)] or places

    def room(place: tuple[float, float]) -> float:
        gap = min(np.hypot(place[0] - x, place[1] - y) for x, y in taken)
        # Enough is enough: of the places with room the nearest is best.
        return -min(float(gap), 0.044)

    return min(inside, key=room)


def _write(
    sheet: Sheet,
    top: float,
    names: float,
    rows: Sequence[RefusalDetectionRow],
    numbers: Mapping[str, int],
    budgets: Sequence[str],
) -> None:
    at = {(row.entrant, row.budget): row for row in rows}
    for place, budget in enumerate(budgets):
        sheet.text(
            names + (place + 1) * _COLUMN, top, f"d′ at {budget}", ha="right", fontsize=SMALL,
            color=colours.MUTED.light,
        )  # fmt: skip
    for line, (name, number) in enumerate(numbers.items()):
        y = top + 0.25 + (line + 0.5) * _ROW
        sheet.text(0.02, y, fitted(f"{number}  {name}", _NAMES), va="center_baseline")
        for place, budget in enumerate(budgets):
            row = at.get((name, budget))
            sheet.text(
                names + (place + 1) * _COLUMN, y, _plain(row.d_prime) if row else NO_NUMBER,
                ha="right", va="center_baseline", fontsize=SMALL,
            )  # fmt: skip


def _plain(one: Interval) -> str:
    """d′ is no share."""
    if one.value is None:
        return NO_NUMBER
    low, value, high = (
        None if number is None else minus(f"{number:.2f}")
        for number in (one.low, one.value, one.high)
    )
    return f"{value} [{low}, {high}]" if low and high else f"{value}"
