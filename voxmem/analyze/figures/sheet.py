"""A figure laid out in inches from its upper left corner: nothing moves with what is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.style import SIZE, width

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KEY_LINE = 0.2
"""Inches a line of a legend takes."""
_SIGN = 0.44
"""Inches that a sign of a legend takes, with the gap to the next."""


class Sheet:
    """A blank figure, ``width`` × ``height`` inches."""

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self.figure: Figure = Figure(figsize=(width, height))
        FigureCanvasAgg(self.figure)

    def axes(self, left: float, top: float, width: float, height: float, **given: Any) -> Axes:
        """A panel."""
        bottom = self.height - top - height
        box = (
            left / self.width, bottom / self.height, width / self.width, height / self.height,
        )  # fmt: skip
        return self.figure.add_axes(box, **given)

    def text(self, left: float, top: float, words: str, **given: Any) -> None:
        """A line of text, its upper left corner there unless said otherwise."""
        look: dict[str, Any] = {"ha": "left", "va": "top", "fontsize": SIZE} | given
        self.figure.text(left / self.width, 1 - top / self.height, words, **look)

    def key(self, left: float, top: float, signs: Mapping[str, Artist]) -> None:
        """A legend in rows of equal columns, as high as :func:`key_height` says."""
        from matplotlib.text import Text

        if not signs:
            return
        columns = _key_columns(list(signs), self.width - left)
        # A legend fills its columns first; these are read in rows.
        names = [name for at in range(columns) for name in list(signs)[at::columns]]
        legend = self.figure.legend(
            [signs[name] for name in names],
            names,
            loc="upper left",
            bbox_to_anchor=(left / self.width, 1 - top / self.height),
            ncols=columns,
        )
        for words in legend.findobj(Text):
            words.set_color(colours.TEXT.light)


def key_height(names: Sequence[str], room: float) -> float:
    """Inches that a legend of these names takes in a given width."""
    return KEY_LINE * -(-len(names) // _key_columns(names, room)) if names else 0.0


def _key_columns(names: Sequence[str], room: float) -> int:
    widest = max(width(name) for name in names) + _SIGN
    return max(1, min(len(names), int(room / widest)))


def bare(axes: Axes) -> None:
    """Without frame and ticks."""
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def percents(axes: Axes, top: float = 1.0, which: str = "y") -> None:
    """An axis of shares from 0 to ``top``, in per cent, with a grid."""
    marks = [at * _step(top) for at in range(int(top / _step(top) + 1e-9) + 1)]
    names = [f"{100 * mark:.0f}" for mark in marks]
    if which == "y":
        axes.set_ylim(0, top)
        axes.set_yticks(marks, names)
        axes.spines["left"].set_visible(False)
    else:
        axes.set_xlim(0, top)
        axes.set_xticks(marks, names)
    axes.grid(axis="y" if which == "y" else "x")


def ceiling(shares: Sequence[float], least: float = 0.2) -> float:
    """The next full tenth that leaves room for a mark above the highest share."""
    highest = max([*shares, least])
    return min(1.0, -(-round(highest * 1000 + 5) // 100) / 10)


def _step(top: float) -> float:
    return next((step for step in (0.05, 0.1, 0.2, 0.25, 0.5) if top / step <= 5.01), 0.5)
