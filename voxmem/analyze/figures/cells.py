"""Shares as a matrix of coloured cells, each with its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.sheet import Sheet, bare
from voxmem.analyze.figures.style import SIZE, SMALL
from voxmem.analyze.labels import NO_NUMBER, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GAP = 0.02
"""Inches left free around a cell."""
_KEY = (1.1, 0.11)


class Cell(NamedTuple):
    """One share; ``None`` for its value: there is no number."""

    value: float | None
    below: str = ""
    """A second line."""
    strong: bool = False


def matrix(
    sheet: Sheet,
    left: float,
    top: float,
    cell: tuple[float, float],
    rows: Sequence[Sequence[Cell | None]],
    scale: float,
    size: float = SIZE,
    digits: int = 1,
) -> Axes:
    """Draws the cells; a place that is ``None`` stays empty.

    Args:
        sheet: Where.
        left: Of the upper left corner, in inches, as ``top``.
        top: Likewise.
        cell: Width and height of one, in inches.
        rows: All of one length.
        scale: The share that is darkest.
        size: Of the numbers, in points.
        digits: Decimals of the numbers, in per cent.
    """
    wide, high = cell
    columns = max((len(row) for row in rows), default=0)
    axes = sheet.axes(left, top, wide * columns, high * len(rows))
    axes.set(xlim=(0, wide * columns), ylim=(high * len(rows), 0))
    bare(axes)
    for y, row in enumerate(rows):
        for x, one in enumerate(row):
            if one is not None:
                _draw(axes, (x * wide, y * high), cell, one, scale, size, digits)
    return axes


def heat_key(sheet: Sheet, left: float, top: float, scale: float, what: str) -> None:
    """What the colours mean, ``what`` before a bar."""
    from matplotlib.patches import Rectangle

    from voxmem.analyze.figures.style import width

    start = left + width(what, SMALL) + width("0", SMALL) + 0.18
    sheet.text(left, top, f"{what}  0", fontsize=SMALL, color=colours.MUTED.light)
    axes = sheet.axes(start, top, *_KEY)
    axes.set(xlim=(0, 20), ylim=(0, 1))
    bare(axes)
    for at in range(20):
        # A little wider than its place, so that no seam shows.
        axes.add_patch(Rectangle((at, 0), 1.04, 1, facecolor=colours.heat(at / 19), linewidth=0))
    sheet.text(
        start + _KEY[0] + 0.06, top, f"{100 * scale:.0f} %", fontsize=SMALL,
        color=colours.MUTED.light,
    )  # fmt: skip


def _draw(
    axes: Axes,
    at: tuple[float, float],
    cell: tuple[float, float],
    one: Cell,
    scale: float,
    size: float,
    digits: int,
) -> None:
    from matplotlib.patches import Rectangle

    (x, y), (wide, high) = at, cell
    box = ((x + _GAP, y + _GAP), wide - 2 * _GAP, high - 2 * _GAP)
    middle = (x + wide / 2, y + high / 2)
    centred: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
    if one.value is None:
        axes.add_patch(
            Rectangle(*box, facecolor="none", edgecolor=colours.AXIS.light, linestyle=(0, (2, 3)))
        )
        axes.text(*middle, NO_NUMBER, fontsize=size, color=colours.MUTED.light, **centred)
        return
    share = one.value / scale if scale else 0.0
    ink = colours.ink(share)
    axes.add_patch(Rectangle(*box, facecolor=colours.heat(share), linewidth=0))
    lift = 0.16 * high if one.below else 0.0
    axes.text(
        middle[0], middle[1] - lift, percent(one.value, digits), fontsize=size, color=ink,
        fontweight="bold" if one.strong else "normal", **centred,
    )  # fmt: skip
    if one.below:
        axes.text(
            middle[0], middle[1] + 0.22 * high, one.below, fontsize=SMALL, color=ink, **centred
        )
