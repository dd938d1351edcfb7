"""What errors are made of: by operation and evidence type (VoxMem, Figure 7), by subtype (10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, key_height
from voxmem.analyze.figures.stacked import ROW, Bar, Part, bars, names_width, short, signs
from voxmem.analyze.figures.style import HATCHES, SMALL, fitted
from voxmem.analyze.figures.words import counted, evidence_name, listed
from voxmem.analyze.labels import NO_NUMBER, label, ordered, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.error_profiles import ErrorProfileRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = tuple(
    Part(label(name), colours.ERRORS[name], hatch)
    for name, hatch in zip(ERROR_CLASSES, HATCHES, strict=True)
)
_WIDE = 4.2
_SIZES = 1.55
_TITLE = 0.3
_GAP = 0.2
_GROUPS = {"operation": "By operation", "evidence": "By evidence type", "subtype": "By subtype"}


def draw(table: Table[ErrorProfileRow], *, policy: Policy = "paper") -> Figure:
    """By operation, then by evidence type; one auditor below the other.

    Raises:
        NothingToDraw: No group has enough attributed errors.
    """
    del policy  # an error is one under both
    return _figure(_panels(table, ("operation", "evidence")))


def describe(table: Table[ErrorProfileRow], *, policy: Policy = "paper") -> str:
    """Every bar with its parts."""
    del policy
    return _said(_panels(table, ("operation", "evidence")))


def draw_by_subtype(table: Table[ErrorProfileRow], *, policy: Policy = "paper") -> Figure:
    """The eight subtypes; one auditor below the other.

    Raises:
        NothingToDraw: No group has enough attributed errors.
    """
    del policy
    return _figure(_panels(table, ("subtype",)))


def describe_by_subtype(table: Table[ErrorProfileRow], *, policy: Policy = "paper") -> str:
    """Every bar with its parts."""
    del policy
    return _said(_panels(table, ("subtype",)))


Panel = tuple[str, str, list[Bar]]
"""Auditor, what the bars are grouped by, the bars."""


def _panels(table: Table[ErrorProfileRow], groupings: Sequence[str]) -> list[Panel]:
    kept = [row for row in table.rows if row.by in groupings]
    if not any(row.share is not None for row in kept):
        least = "no errors were attributed" if not kept else "no cell has enough attributed errors"
        raise NothingToDraw(least)
    return [
        (auditor, _GROUPS[by], of)
        for auditor in ordered(row.auditor for row in kept)
        for by in groupings
        if (of := _bars([row for row in kept if (row.auditor, row.by) == (auditor, by)]))
    ]


def _bars(rows: Sequence[ErrorProfileRow]) -> list[Bar]:
    found = []
    for value in ordered(row.value for row in rows):
        own = [row for row in rows if row.value == value]
        shares = {label(row.error_class): row.share for row in own if row.share is not None}
        size = f"{counted(own[0].pooled.n, 'error')}, {counted(own[0].cells, 'cell')}"
        name = evidence_name(value) if own[0].by == "evidence" else label(value)
        found.append(Bar(short(name), shares, size if shares else f"{NO_NUMBER}  {size}"))
    return found


def _figure(panels: Sequence[Panel]) -> Figure:
    left = max(names_width(rows) for _, _, rows in panels)
    auditors = ordered(auditor for auditor, _, _ in panels)
    wide = left + _WIDE + _SIZES
    key = key_height([part.name for part in PARTS], wide) + 0.1
    high = key + sum(_TITLE + ROW * len(rows) + _GAP for _, _, rows in panels)
    sheet = Sheet(wide, high + 0.2)
    sheet.key(0.02, 0.03, signs(PARTS))
    top = key + _TITLE
    for auditor, title, rows in panels:
        said = f"{title}, auditor {auditor}" if len(auditors) > 1 else title
        sheet.text(left, top - 0.22, fitted(said, _WIDE + _SIZES), fontweight="bold")
        bars(sheet, left, top, _WIDE, rows, PARTS)
        top += ROW * len(rows) + _GAP + _TITLE
    sheet.text(left, high, "Numbers are per cent.", fontsize=SMALL, color=colours.MUTED.light)
    return sheet.figure


def _said(panels: Sequence[Panel]) -> str:
    return listed(
        "Per cent of the errors, a mean over cells",
        (
            f"{auditor}, {title.lower()}, {row.name} ({row.size}): "
            + (", ".join(f"{name.lower()} {percent(of)}" for name, of in row.shares.items()))
            for auditor, title, rows in panels
            for row in rows
        ),
    )
