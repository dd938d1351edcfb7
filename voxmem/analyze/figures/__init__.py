"""Figures as SVG, drawn from typed tables by small functions: one figure a file.

A figure is drawn without colours of its own theme: a page's stylesheet gives them (and a dark mode)
through classes, :func:`standalone` bundles the same stylesheet, and plain attributes stand in for
programs that read no stylesheet.
"""

from voxmem.analyze.figures.heat_map import heat_map
from voxmem.analyze.figures.scaling import Series, key_mark, scaling_panel
from voxmem.analyze.figures.svg import standalone, stylesheet

__all__ = ["Series", "heat_map", "key_mark", "scaling_panel", "standalone", "stylesheet"]
