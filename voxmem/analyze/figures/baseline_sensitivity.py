"""Accuracy at the shortest history against what a longer one costs (VoxMem, Figure 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling, key_height, percents
from voxmem.analyze.figures.style import MARKERS, SMALL
from voxmem.analyze.figures.words import evidence_name, listed, minus
from voxmem.analyze.labels import ordered, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.baseline_sensitivity import SensitivityCorrelationRow, SensitivityRow

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (3.0, 2.6)
_LEFT, _TOP, _BOTTOM = 0.55, 0.58, 0.5
_PANELS: tuple[tuple[str, str, Callable[[SensitivityRow], float | None]], ...] = (
    ("retention", "Accuracy kept, %", lambda row: row.retention),
    ("change", "Change, percentage points", lambda row: row.change),
)


def draw(
    points: Table[SensitivityRow],
    correlations: Table[SensitivityCorrelationRow],
    *,
    policy: Policy = "paper",
) -> Figure:
    """One point a model × evidence type: retention left, change right.

    Raises:
        NothingToDraw: No model was run at two budgets.
    """
    from matplotlib.lines import Line2D

    rows = _rows(points, policy)
    kinds = ordered(row.evidence for row in rows)
    names = [evidence_name(kind) for kind in kinds]
    wide = 2 * (_LEFT + _PANEL[0] + 0.1)
    top = _TOP + key_height(names, wide)
    sheet = Sheet(wide, top + _PANEL[1] + _BOTTOM)
    marks = {kind: MARKERS[at] for at, kind in enumerate(kinds)}
    signs: dict[str, Artist] = {
        evidence_name(kind): Line2D([], [], linestyle="", color=_colour(kind), marker=marks[kind])
        for kind in kinds
    }
    sheet.key(_LEFT, 0.05, signs)
    farthest = ceiling([row.before.value or 0.0 for row in rows])
    for at, (measure, title, read) in enumerate(_PANELS):
        axes = sheet.axes(_LEFT + at * (_LEFT + _PANEL[0]), top, *_PANEL)
        percents(axes, farthest, "x")
        axes.set_xlabel("Accuracy at the shortest history, %")
        for kind in kinds:
            own = [row for row in rows if row.evidence == kind]
            _points(axes, own, read, _colour(kind), marks[kind])
        axes.axhline(1.0 if measure == "retention" else 0.0, color=colours.AXIS.light, lw=0.8)
        axes.grid(axis="y")
        if measure == "retention":
            axes.set_ylim(bottom=0)
        _per_cent_ticks(axes)
        left = _LEFT + at * (_LEFT + _PANEL[0])
        sheet.text(left, top - 0.42, title, fontweight="bold")
        found = _spearman(correlations, measure, policy)
        sheet.text(left, top - 0.22, found, fontsize=SMALL, color=colours.MUTED.light)
    return sheet.figure


def describe(
    points: Table[SensitivityRow],
    correlations: Table[SensitivityCorrelationRow],
    *,
    policy: Policy = "paper",
) -> str:
    """The correlations, then every point."""
    rows = _rows(points, policy)
    found = (f"{name}: {_spearman(correlations, name, policy)}" for name, _, _ in _PANELS)
    return listed(
        "Rank correlation with the accuracy at the shortest history",
        [
            *found,
            *(
                f"{row.entrant} on {evidence_name(row.evidence).lower()}: "
                f"{percent(row.before.value)} before, {percent(row.after.value)} after, "
                f"{percent(row.retention)} kept"
                for row in rows
            ),
        ],
    )


def _rows(table: Table[SensitivityRow], policy: Policy) -> list[SensitivityRow]:
    rows = [row for row in table.rows if row.policy == policy and row.change is not None]
    if not rows:
        raise NothingToDraw("no model was run at two history lengths")
    return rows


def _points(
    axes: Axes,
    rows: Sequence[SensitivityRow],
    read: Callable[[SensitivityRow], float | None],
    colour: str,
    marker: str,
) -> None:
    known = [(row.before.value or 0.0, y) for row in rows if (y := read(row)) is not None]
    axes.plot(
        [x for x, _ in known], [y for _, y in known], linestyle="", marker=marker, color=colour,
        markersize=5.5, markeredgecolor=colours.GROUND.light, markeredgewidth=0.5, clip_on=False,
    )  # fmt: skip


def _per_cent_ticks(axes: Axes) -> None:
    ticks = [tick for tick in axes.get_yticks() if axes.get_ylim()[0] <= tick <= axes.get_ylim()[1]]
    axes.set_yticks(ticks, [minus(f"{100 * tick:.0f}") for tick in ticks])


def _spearman(table: Table[SensitivityCorrelationRow], measure: str, policy: Policy) -> str:
    for row in table.rows:
        if (row.measure, row.policy) == (measure, policy) and row.spearman is not None:
            p = f", p = {row.p:.2g}" if row.p is not None and row.p >= 0.001 else ", p < 0.001"
            return f"Spearman ρ = {minus(f'{row.spearman:.2f}')}{p}, {row.points} points"
    return "Spearman ρ: –"


def _colour(kind: str) -> str:
    return colours.evidence(kind).light
