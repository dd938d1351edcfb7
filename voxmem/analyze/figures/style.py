"""How the figures look, and the state of matplotlib that they are drawn under."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from voxmem.analyze.figures import colours

FONT = "DejaVu Sans"
"""It comes with matplotlib: what is measured is the same on every machine."""
SIZE = 9.0
"""Points."""
SMALL = 7.5
DOTS = 200
"""Of a PNG, per inch."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
HATCHES = ("", "////", "", "xxxx", "\\\\\\\\")
"""Of the five error classes: neighbours differ by more than colour."""

_SETTINGS: dict[str, Any] = {
    "font.family": FONT,
    "font.size": SIZE,
    "text.color": colours.TEXT.light,
    "text.parse_math": False,  # a name may hold a dollar sign
    "axes.labelcolor": colours.MUTED.light,
    "axes.labelsize": SIZE,
    "axes.titlesize": SIZE,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 7.0,
    "axes.edgecolor": colours.AXIS.light,
    "axes.facecolor": "none",
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "figure.facecolor": colours.GROUND.light,
    "figure.edgecolor": "none",
    "grid.color": colours.GRID.light,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": SIZE,
    "legend.handlelength": 1.6,
    "legend.handletextpad": 0.6,
    "legend.columnspacing": 1.8,
    "legend.borderpad": 0.0,
    "legend.borderaxespad": 0.0,
    "lines.linewidth": 1.5,
    "lines.markersize": 5.0,
    "patch.linewidth": 0.7,
    "xtick.color": colours.AXIS.light,
    "xtick.labelcolor": colours.MUTED.light,
    "xtick.labelsize": SIZE,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.7,
    "xtick.minor.visible": False,
    "ytick.color": colours.AXIS.light,
    "ytick.labelcolor": colours.MUTED.light,
    "ytick.labelsize": SIZE,
    "ytick.major.size": 0.0,
    "ytick.major.width": 0.7,
    "path.simplify": False,
    "svg.fonttype": "none",
}


@contextmanager
def drawing(salt: str) -> Iterator[None]:
    """Figures are made and written inside; the settings of others are as before afterwards.

    Args:
        salt: What the ids in an SVG are made from.
    """
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        settings: Any = {**_SETTINGS, "svg.hashsalt": salt}
        mpl.rcParams.update(settings)
        with warnings.catch_warnings():
            # A name in a script that the font lacks: boxes in a PNG, text as ever in an SVG.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            yield


@lru_cache(maxsize=4096)
def width(words: str, size: float = SIZE) -> float:
    """How wide a line of text is, in inches."""
    from matplotlib import font_manager

    font = font_manager.get_font(font_manager.findfont(FONT))
    font.set_size(size, 72)
    font.set_text(words)
    return float(font.get_width_height()[0]) / 64 / 72


def plain(words: str) -> str:
    """On one line, without signs that XML does not allow."""
    return "".join(sign if sign.isprintable() else " " for sign in words)


def fitted(words: str, room: float, size: float = SIZE) -> str:
    """The words on one line of at most ``room`` inches, cut with an ellipsis."""
    line = plain(words)
    if width(line, size) <= room:
        return line
    while line and width(line + "…", size) > room:
        line = line[:-1]
    return line.rstrip() + "…"
