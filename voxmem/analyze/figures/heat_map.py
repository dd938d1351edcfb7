"""Operation × evidence type as a heat map (in the manner of VoxMem, Figure 5)."""

from __future__ import annotations

from collections.abc import Mapping

from voxmem.analyze.accuracy import Accuracy
from voxmem.analyze.figures import palette
from voxmem.analyze.figures.svg import figure, tag, text
from voxmem.analyze.labels import NO_NUMBER, label, percent
from voxmem.taxonomy import CELLS, Cell, EvidenceType, Operation

_LEFT, _TOP = 206, 34
_WIDE, _HIGH, _GAP = 124, 56, 3


def heat_map(values: Mapping[Cell, Accuracy], title: str) -> str:
    """The accuracy in every valid cell, as number and colour, with its n.

    Args:
        values: The cells that were evaluated; others show that there is no number.
        title: What is shown; it goes into the text alternative.
    """
    marks = [
        *(
            text(label(kind), _x(at) + _WIDE / 2, _TOP - 12, "fig-label", "middle")
            for at, kind in enumerate(EvidenceType)
        ),
        *(
            text(label(kind), _LEFT - 14, _y(at) + _HIGH / 2 + 4, "fig-label", "end")
            for at, kind in enumerate(Operation)
        ),
        *(
            _cell(_x(column), _y(row), Cell(operation, kind), values)
            for row, operation in enumerate(Operation)
            for column, kind in enumerate(EvidenceType)
        ),
    ]
    return figure(
        _x(len(EvidenceType)),
        _y(len(Operation)),
        title,
        _description(values),
        *marks,
    )


def _x(column: int) -> int:
    return _LEFT + column * (_WIDE + _GAP)


def _y(row: int) -> int:
    return _TOP + row * (_HIGH + _GAP)


def _cell(x: int, y: int, cell: Cell, values: Mapping[Cell, Accuracy]) -> str:
    box = {"x": x, "y": y, "width": _WIDE, "height": _HIGH, "rx": 3}
    if cell not in CELLS:
        return tag("rect", **box, class_="fig-void", fill="none", stroke="#bbb")
    row = values.get(cell)
    share = row.value if row else None
    if row is None or share is None:
        return tag("rect", **box, class_="fig-void", fill="none", stroke="#bbb") + text(
            NO_NUMBER, x + _WIDE / 2, y + _HIGH / 2 + 5, "fig-muted", "middle"
        )
    tone = "fig-on-high" if share > 0.5 else "fig-on-low"
    return tag(
        "g",
        tag("title", f"{row.correct} of {row.n} right"),
        tag(
            "rect",
            **box,
            class_="fig-heat",
            fill=palette.heat(share),
            style=f"--share:{100 * share:.1f}%",
        ),
        text(percent(share), x + _WIDE / 2, y + 27, f"fig-value {tone}", "middle"),
        text(f"{row.correct}/{row.n}", x + _WIDE / 2, y + 44, f"fig-small {tone}", "middle"),
    )


def _description(values: Mapping[Cell, Accuracy]) -> str:
    parts = [
        f"{label(cell.operation)} over {label(cell.evidence).lower()}: "
        f"{percent(row.value)} per cent of {row.n}"
        for cell in CELLS
        if (row := values.get(cell))
    ]
    return "; ".join(parts) or "No cell was evaluated"
