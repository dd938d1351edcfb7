"""The composition of errors by operation, evidence type and subtype (VoxMem, Figures 7 and 10)."""

from __future__ import annotations

from voxmem.analyze.attribution.records import ERROR_CLASSES, ErrorClass
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate, Table, mean
from voxmem.analyze.tables.error_counts import NOTHING
from voxmem.analyze.tables.errors import LEAST, By, Group, Population, population, tally
from voxmem.records import Record


class ErrorProfileRow(Record):
    """The share of one error class in one group of errors."""

    auditor: str
    budget: str
    by: By
    value: str
    error_class: ErrorClass
    share: float | None
    """The unweighted mean over the cells; ``None``: there is none."""
    cells: int
    """Entrant × evidence cells with enough errors."""
    pooled: Rate
    """The share in all errors of the group, whatever cell they are in."""


def make(study: Study, *, budget: str | None = None) -> Table[ErrorProfileRow]:
    """Macro-averaged shares; at the longest budget if none is named."""
    found = population(study, budget)
    rows: list[ErrorProfileRow] = []
    if found is not None:
        for auditor in found.attributions:
            for group in found.groups:
                rows += _rows(found, auditor, group)
    return Table(
        name="error-profiles",
        title="Error profiles",
        model=ErrorProfileRow,
        rows=tuple(rows),
        source="VoxMem, Figures 7 and 10",
        notes=(
            *(found.notes if found else (NOTHING,)),
            f"Shares are means over the entrant × evidence cells of a group that have at least "
            f"{LEAST} attributed errors in it; the pooled share is of all errors of the group.",
        ),
    )


def _rows(found: Population, auditor: str, group: Group) -> list[ErrorProfileRow]:
    by, value = group
    cells = found.cells(auditor, group)
    classes = tally(found.members(auditor, group))
    total = sum(classes.values())
    return [
        ErrorProfileRow(
            auditor=auditor,
            budget=found.budget,
            by=by,
            value=value,
            error_class=name,
            share=mean(cell[name] / cell.total() for cell in cells).value,
            cells=len(cells),
            pooled=Rate(correct=classes[name], n=total, expected=total),
        )
        for name in ERROR_CLASSES
    ]
