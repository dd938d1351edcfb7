"""Where answers fail, by the arm that makes them right: a bar an entrant and budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, key_height
from voxmem.analyze.figures.stacked import ROW, Bar, Part, bars, names_width, short, signs
from voxmem.analyze.figures.style import SMALL, fitted
from voxmem.analyze.figures.words import counted, evidence_name, listed
from voxmem.analyze.labels import NO_NUMBER, budget_tokens, label, ordered, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.arm_split import STAGES, ArmSplitRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOOK: dict[str, tuple[colours.Colour, str]] = {
    "location": (colours.LOCATION, ""),
    "location_or_binding": (colours.LOCATION, "////"),
    "binding": (colours.ERRORS["binding"], "////"),
    "perception": (colours.ERRORS["recognition"], ""),
    "operation": (colours.ERRORS["operation"], ""),
    "undetermined": (colours.ERRORS["not_attributable"], "\\\\\\\\"),
}
"""A stage that is also a class of errors has its colour."""
PARTS = tuple(Part(label(name), *_LOOK[name]) for name in STAGES)
_WIDE = 4.2
_SIZES = 1.0
_TITLE, _GAP = 0.3, 0.2


def draw(table: Table[ArmSplitRow], *, policy: Policy = "paper") -> Figure:
    """A panel an evidence type.

    Raises:
        NothingToDraw: Nobody was run in another arm, or nothing was wrong.
    """
    panels = _panels(table, policy)
    used = {name for rows in panels.values() for row in rows for name in row.shares}
    parts = [part for part in PARTS if part.name in used]
    left = max(names_width(rows) for rows in panels.values())
    wide = left + _WIDE + _SIZES
    key = key_height([part.name for part in parts], wide) + 0.1
    high = key + sum(_TITLE + ROW * len(rows) + _GAP for rows in panels.values())
    sheet = Sheet(wide, high + 0.2)
    sheet.key(0.02, 0.03, signs(parts))
    top = key + _TITLE
    for evidence, rows in panels.items():
        sheet.text(
            left, top - 0.22, fitted(evidence_name(evidence), _WIDE), fontweight="bold",
            color=colours.evidence(evidence).light,
        )  # fmt: skip
        bars(sheet, left, top, _WIDE, rows, parts)
        top += ROW * len(rows) + _GAP + _TITLE
    sheet.text(
        left, high, "Numbers are per cent of the wrong answers to answerable items.",
        fontsize=SMALL, color=colours.MUTED.light,
    )  # fmt: skip
    return sheet.figure


def describe(table: Table[ArmSplitRow], *, policy: Policy = "paper") -> str:
    """Every bar with its parts."""
    return listed(
        "Per cent of the wrong answers to answerable items",
        (
            f"{evidence_name(evidence)}, {row.name} ({row.size}): "
            + (", ".join(f"{name.lower()} {percent(of)}" for name, of in row.shares.items()))
            for evidence, rows in _panels(table, policy).items()
            for row in rows
        ),
    )


def _panels(table: Table[ArmSplitRow], policy: Policy) -> dict[str, list[Bar]]:
    rows = [row for row in table.rows if row.policy == policy]
    if not any(row.share.n for row in rows):
        raise NothingToDraw("no wrong answer was asked again in another arm")
    kinds = ordered(row.evidence for row in rows)
    return {kind: _bars([row for row in rows if row.evidence == kind]) for kind in kinds}


def _bars(rows: Sequence[ArmSplitRow]) -> list[Bar]:
    places = sorted(
        ordered((row.entrant, row.budget) for row in rows),
        key=lambda place: (place[0], budget_tokens(place[1])),
    )
    found = []
    for entrant, budget in places:
        own = [row for row in rows if (row.entrant, row.budget) == (entrant, budget)]
        shares = {label(row.stage): row.share.value for row in own if row.share.value}
        size = counted(own[0].share.n, "answer")
        found.append(
            Bar(short(f"{entrant} {budget}"), shares, size if shares else f"{NO_NUMBER}  {size}")
        )
    return found
