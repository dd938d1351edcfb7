"""Figures, drawn from typed tables: a file a figure, for pages (SVG), files and slides (PNG).

:func:`draw_all` is what a report calls. Figures in a page take their colours, light or dark, from
:func:`stylesheet`; a file of its own brings them.
"""

from voxmem.analyze.figures.colours import stylesheet
from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.figures.registry import FIGURES, Plot, draw_all, left_out

__all__ = ["FIGURES", "Drawn", "Plot", "draw_all", "left_out", "stylesheet"]
