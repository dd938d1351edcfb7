"""Compositions as stacked bars, a row each: every part has its colour, its hatch and its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.sheet import Sheet, bare
from voxmem.analyze.figures.style import SMALL, fitted, width

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

ROW = 0.3
"""Inches from one bar to the next."""
_THICK = 0.72
"""Of a row."""
_ROOM = 0.06
"""Inches that the number of a part needs beside it."""


class Part(NamedTuple):
    """What a bar is made of."""

    name: str
    colour: colours.Colour
    hatch: str = ""


class Bar(NamedTuple):
    """One composition."""

    name: str
    shares: Mapping[str, float]
    """Name of a part → its share."""
    size: str = ""
    """Of how many, written behind it."""


def bars(
    sheet: Sheet, left: float, top: float, wide: float, rows: Sequence[Bar], parts: Sequence[Part]
) -> Axes:
    """Draws the bars, names before and sizes behind them.

    Args:
        sheet: Where.
        left: Of the upper left corner of the bars, in inches, as ``top``.
        top: Likewise.
        wide: Inches that stand for everything.
        rows: From above.
        parts: From the left.
    """
    axes = sheet.axes(left, top, wide, ROW * len(rows))
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    bare(axes)
    for at, row in enumerate(rows):
        y = top + (at + 0.5) * ROW
        sheet.text(left - 0.1, y, row.name, ha="right", va="center_baseline")
        sheet.text(
            left + wide + 0.08, y, row.size, va="center_baseline", fontsize=SMALL,
            color=colours.MUTED.light,
        )  # fmt: skip
        _stack(axes, at, row, parts, wide)
    return axes


def signs(parts: Sequence[Part]) -> dict[str, Artist]:
    """Of a legend."""
    from matplotlib.patches import Patch

    return {part.name: Patch(**_paint(part)) for part in parts}


def names_width(rows: Sequence[Bar]) -> float:
    """Inches that the names need before the bars."""
    return max((width(row.name) for row in rows), default=0.0) + 0.14


def short(name: str) -> str:
    """A name that leaves room for the bars."""
    return fitted(name, 2.3)


def _stack(axes: Axes, y: int, row: Bar, parts: Sequence[Part], wide: float) -> None:
    start = 0.0
    for part in parts:
        share = row.shares.get(part.name, 0.0)
        if share > 0:
            axes.barh([y], [share], left=[start], height=_THICK, **_paint(part))
            words = f"{100 * share:.0f}"
            if share * wide > width(words, SMALL) + _ROOM:
                _number(axes, start + share / 2, y, words)
        start += share


def _number(axes: Axes, x: float, y: int, words: str) -> None:
    """On a ground of its own: a hatch behind it would be hard to read."""
    ground = {
        "boxstyle": "square,pad=0.12",
        "facecolor": colours.GROUND.light,
        "edgecolor": "none",
    }
    axes.text(
        x, y, words, fontsize=SMALL, ha="center", va="center_baseline", bbox=ground,
        color=colours.TEXT.light,
    )  # fmt: skip


def _paint(part: Part) -> dict[str, Any]:
    return {
        "facecolor": part.colour.light,
        "edgecolor": colours.GROUND.light,
        "hatch": part.hatch,
        "linewidth": 0.8,
    }
