"""Accuracy over history length with the curves that were fitted to it, a panel an evidence type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.lengths import length_axis, place
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling, key_height, percents
from voxmem.analyze.figures.style import SMALL
from voxmem.analyze.figures.words import evidence_name, interval, listed, signed
from voxmem.analyze.labels import budget_tokens, ordered, percent
from voxmem.analyze.statistics.curves import CURVES, Fit
from voxmem.analyze.table import Table
from voxmem.analyze.tables.decay import DecayRow
from voxmem.analyze.tables.groups import ALL
from voxmem.analyze.tables.scaling import ScalingRow

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (2.3, 1.75)
_LEFT, _HEAD, _FOOT, _GAP = 0.55, 0.5, 0.5, 0.45
_PER_ROW = 3
_STEPS = 60
_THICK = 2.0
_DASHES: dict[str, Any] = dict(
    zip(CURVES, ("-", (0, (4, 1.6)), (0, (1, 1)), (0, (5, 1, 1, 1))), strict=True)
)


def draw(fits: Table[DecayRow], points: Table[ScalingRow], *, policy: Policy = "paper") -> Figure:
    """The models with full runs together: points are means with intervals, the best curve is thick.

    Raises:
        NothingToDraw: No curve was fitted, for lack of lengths or of full runs.
    """
    from matplotlib.lines import Line2D

    rows = _rows(fits, policy)
    kinds = ordered(row.evidence for row in rows)
    curves = [curve for curve in CURVES if curve in {row.curve for row in rows}]
    across = min(len(kinds), _PER_ROW)
    wide = _LEFT + across * (_PANEL[0] + _GAP)
    signs: dict[str, Artist] = {
        curve.capitalize(): Line2D([], [], color=colours.TEXT.light, linestyle=_DASHES[curve])
        for curve in curves
    }
    signs["Best by AICc"] = Line2D([], [], color=colours.TEXT.light, linewidth=_THICK)
    key = key_height(list(signs), wide) + 0.1
    lines = -(-len(kinds) // _PER_ROW)
    sheet = Sheet(wide, key + lines * (_HEAD + _PANEL[1] + _FOOT))
    sheet.key(_LEFT, 0.03, signs)
    seen = [row for row in points.rows if row.policy == policy]
    for at, kind in enumerate(kinds):
        left = _LEFT + (at % _PER_ROW) * (_PANEL[0] + _GAP)
        top = key + _HEAD + (at // _PER_ROW) * (_HEAD + _PANEL[1] + _FOOT)
        own = [row for row in rows if row.evidence == kind]
        sheet.text(
            left, top - 0.42, f"{evidence_name(kind)}: {_best(own)}", fontweight="bold",
            color=colours.evidence(kind).light,
        )  # fmt: skip
        sheet.text(left, top - 0.22, _slope(own), fontsize=SMALL, color=colours.MUTED.light)
        axes = sheet.axes(left, top, *_PANEL)
        of_kind = [row for row in seen if row.evidence == kind]
        highest = [row.accuracy.high or row.accuracy.value or 0.0 for row in of_kind]
        percents(axes, ceiling([*highest, *(row.start for row in own)], least=0.05))
        length_axis(axes, own[0].budgets)
        if at % _PER_ROW == 0:
            axes.set_ylabel("Accuracy, %")
        for row in own:
            _curve(axes, row)
        _points(axes, of_kind)
    return sheet.figure


def describe(fits: Table[DecayRow], points: Table[ScalingRow], *, policy: Policy = "paper") -> str:
    """The best curve of every evidence type, and how far the others are from it."""
    del points  # said with the figure that they are of
    rows = _rows(fits, policy)
    return listed(
        "Curves through the accuracy over history length",
        (
            f"{evidence_name(kind)}: {_slope(own)}, best {_best(own)}; "
            + ", ".join(
                f"{row.curve} from {percent(row.start)} to {percent(row.end)}, "
                f"{row.delta_aicc:.1f} above the best in AICc"
                for row in own
            )
            for kind in ordered(row.evidence for row in rows)
            if (own := [row for row in rows if row.evidence == kind])
        ),
    )


def _rows(table: Table[DecayRow], policy: Policy) -> list[DecayRow]:
    rows = [row for row in table.rows if (row.entrant, row.policy) == (ALL, policy)]
    if not rows:
        raise NothingToDraw("no curve was fitted: it takes full runs at three history lengths")
    return rows


def _best(rows: Sequence[DecayRow]) -> str:
    return next((row.curve for row in rows if row.is_best), rows[0].curve)


def _slope(rows: Sequence[DecayRow]) -> str:
    slope = rows[0].per_doubling
    return f"{signed(slope.value)}{interval(slope.low, slope.high)} points a doubling"


def _curve(axes: Axes, row: DecayRow) -> None:
    first, last = (place(row.budgets[at]) for at in (0, -1))
    at = np.linspace(first, last, _STEPS)
    axes.plot(
        at, _fit(row).at(1000 * 2**at), linestyle=_DASHES[row.curve],
        linewidth=_THICK if row.is_best else 0.9,
        color=(colours.evidence(row.evidence) if row.is_best else colours.MUTED).light,
        zorder=2.5 if row.is_best else 2.0,
    )  # fmt: skip


def _fit(row: DecayRow) -> Fit:
    return Fit(
        curve=row.curve,
        shortest=budget_tokens(row.budgets[0]),
        longest=budget_tokens(row.budgets[-1]),
        start=row.start,
        end=row.end,
        knee=row.knee,
        log_likelihood=row.log_likelihood,
        aicc=row.aicc,
        bic=row.bic,
    )


def _points(axes: Axes, rows: Sequence[ScalingRow]) -> None:
    for row in rows:
        value, low, high = row.accuracy.value, row.accuracy.low, row.accuracy.high
        if value is None:
            continue
        x, colour = place(row.budget), colours.evidence(row.evidence).light
        if low is not None and high is not None:
            axes.plot([x, x], [low, high], color=colour, linewidth=0.9)
        axes.plot(
            [x], [value], marker="o", linestyle="", color=colour, zorder=3,
            markeredgecolor=colours.GROUND.light, markeredgewidth=0.6,
        )  # fmt: skip
