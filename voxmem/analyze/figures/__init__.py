"""Figures, drawn from typed tables: a file a figure, for pages (SVG), files and slides (PNG).

:func:`draw_all` is what a report calls. Figures in a page take their colours, light or dark, from
:func:`stylesheet`; a file of its own brings them.
"""

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.figures.heat_map import heat_map
from voxmem.analyze.figures.registry import FIGURES, Plot, draw_all, left_out
from voxmem.analyze.figures.scaling import Series, key_mark, scaling_panel
from voxmem.analyze.figures.svg import standalone
from voxmem.analyze.figures.svg import stylesheet as _stylesheet

__all__ = [
    "FIGURES", "Drawn", "Plot", "Series", "draw_all", "heat_map", "key_mark", "left_out",
    "scaling_panel", "standalone", "stylesheet",
]  # fmt: skip


def stylesheet() -> str:
    """Of all figures; a page has it once."""
    return colours.stylesheet() + _stylesheet()
