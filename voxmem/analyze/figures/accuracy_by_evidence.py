"""Model × evidence type × budget, with the means of groups (VoxMem, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.cells import Cell, heat_key, matrix
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.sheet import Sheet, ceiling
from voxmem.analyze.figures.style import SIZE, SMALL, fitted, width
from voxmem.analyze.figures.words import GROUPS, evidence_name, group_name, listed
from voxmem.analyze.labels import budgets_ascending, ordered, percent
from voxmem.analyze.table import Table
from voxmem.analyze.tables.accuracy_by_evidence import AccuracyRow, GroupMeanRow
from voxmem.analyze.tables.groups import ALL, MEAN_GROUPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELL = (0.37, 0.21)
_GAP = 0.13
"""Inches between two panels."""
_HEAD = 0.44
_NAMES = 2.3
"""At most, inches."""


class _Line(NamedTuple):
    """A row of numbers, or the name of a group above its rows."""

    name: str
    values: Mapping[tuple[str, str], float | None] | None = None
    """(evidence, budget) → share."""
    mean: bool = False


def draw(
    models: Table[AccuracyRow], means: Table[GroupMeanRow], *, policy: Policy = "paper"
) -> Figure:
    """One panel an evidence type, in it one column a budget.

    Raises:
        NothingToDraw: No entrant has a number.
    """
    lines = _lines(models, means, policy)
    kinds = ordered(row.evidence for row in models.rows)
    kinds = (*(one for one in kinds if one == ALL), *(one for one in kinds if one != ALL))
    budgets = budgets_ascending(row.budget for row in models.rows)
    scale = ceiling([v for line in lines if line.values for v in line.values.values() if v])
    names = [fitted(line.name, _NAMES) for line in lines]
    left = max(width(name) for name in names) + 0.14
    panel = max(_CELL[0] * len(budgets), max(width(evidence_name(one)) for one in kinds) + 0.16)
    cell = (panel / len(budgets), _CELL[1])
    sheet = Sheet(max(left + len(kinds) * (panel + _GAP), 3.6), _HEAD + len(lines) * cell[1] + 0.3)
    _write_names(sheet, lines, names, left)
    for at, kind in enumerate(kinds):
        x = left + at * (panel + _GAP)
        colour = colours.evidence(kind).light
        sheet.text(x, 0.03, evidence_name(kind), color=colour, fontweight="bold")
        for place, budget in enumerate(budgets):
            sheet.text(
                x + (place + 0.5) * cell[0], 0.25, budget, ha="center", fontsize=SMALL,
                color=colours.MUTED.light,
            )  # fmt: skip
        rows = [
            [Cell(line.values.get((kind, one)), strong=line.mean) for one in budgets]
            if line.values is not None
            else [None] * len(budgets)
            for line in lines
        ]
        matrix(sheet, x, _HEAD, cell, rows, scale, size=SMALL)
    heat_key(sheet, left, sheet.height - 0.2, scale, "Accuracy")
    return sheet.figure


def describe(
    models: Table[AccuracyRow], means: Table[GroupMeanRow], *, policy: Policy = "paper"
) -> str:
    """Every entrant on everything, and the means by evidence type."""
    return listed(
        "Per cent right",
        (
            f"{line.name}: "
            + ", ".join(
                f"{evidence_name(kind).lower()} {percent(value)} at {budget}"
                for (kind, budget), value in line.values.items()
                if line.mean or kind == ALL
            )
            for line in _lines(models, means, policy)
            if line.values is not None
        ),
    )


def _write_names(sheet: Sheet, lines: Sequence[_Line], names: Sequence[str], left: float) -> None:
    for at, (line, name) in enumerate(zip(lines, names, strict=True)):
        header = line.values is None
        sheet.text(
            0.02 if header else left - 0.08, _HEAD + (at + 0.5) * _CELL[1], name,
            ha="left" if header else "right", va="center_baseline",
            fontsize=SMALL if header else SIZE,
            color=(colours.MUTED if header else colours.TEXT).light,
            fontweight="bold" if line.mean else "normal",
        )  # fmt: skip


def _lines(models: Table[AccuracyRow], means: Table[GroupMeanRow], policy: Policy) -> list[_Line]:
    found: dict[tuple[str, str], dict[tuple[str, str], float | None]] = {}
    for row in models.rows:
        if row.policy == policy and row.stratum == ALL:
            place = (row.evidence, row.budget)
            found.setdefault((row.group, row.entrant), {})[place] = row.accuracy.value
    shown = {who: values for who, values in found.items() if set(values.values()) != {None}}
    if not shown:
        raise NothingToDraw("no entrant has a number")
    groups = sorted({group for group, _ in shown}, key=_rank)
    lines = []
    for group in groups:
        if len(groups) > 1:
            lines.append(_Line(group_name(group)))
        members = {name: values for (of, name), values in shown.items() if of == group}
        best_first = sorted(members, key=lambda name: _height(members[name]))
        lines += [_Line(name, members[name]) for name in best_first]
    return lines + _mean_lines(means, policy)


def _mean_lines(means: Table[GroupMeanRow], policy: Policy) -> list[_Line]:
    lines = []
    for group in MEAN_GROUPS:
        values = {
            (row.evidence, row.budget): row.accuracy.value
            for row in means.rows
            if (row.group, row.policy, row.stratum) == (group, policy, ALL)
        }
        if set(values.values()) - {None}:
            lines.append(_Line(group_name(group), values, mean=True))
    return [_Line("Means of full runs"), *lines] if lines else []


def _rank(group: str) -> tuple[int, str]:
    return (GROUPS.index(group) if group in GROUPS else len(GROUPS), group)


def _height(values: Mapping[tuple[str, str], float | None]) -> tuple[float, ...]:
    """Best first: by accuracy on everything, at the shortest budget first."""
    budgets = budgets_ascending(budget for _, budget in values)
    return tuple(-(values.get((ALL, budget)) or 0.0) for budget in budgets)
