"""What a drawing holds, read back from it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.figures.registry import FIGURES
from voxmem.analyze.table import Table
from voxmem.records import Record

SVG = "{http://www.w3.org/2000/svg}"


def table(name: str, *rows: Record, of: type[Record] | None = None) -> Table[Any]:
    return Table(name, name, of or type(rows[0]), rows)


def drawn(name: str, *tables: Table[Any]) -> Drawn:
    """The figure of these tables, given in the order in which its plot names them."""
    plot = FIGURES[name]
    return plot.on(dict(zip(plot.tables, tables, strict=True)))


def words(svg: str) -> list[str]:
    """Every line of text that is seen."""
    root = ElementTree.fromstring(svg.removeprefix('<?xml version="1.0" encoding="utf-8"?>'))
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def ids(svg: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', svg)
