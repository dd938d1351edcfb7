"""A typed table laid out for a page: long as it is, or with some groupings side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import NoneType
from typing import Any, get_args

from voxmem.analyze.labels import ordered
from voxmem.analyze.report.cells import NOTHING, Cell, cell, heading, shown
from voxmem.analyze.table import Interval, Mean, Rate, Table
from voxmem.records import Record

WIDEST = 16
"""Figures in a row that can still be read."""
SIDE_BY_SIDE = ("policy", "budget")
"""The groupings that become columns, outermost first, unless a table is in :data:`PIVOTS`."""
PIVOTS: dict[str, tuple[str, ...]] = {
    "error-profiles": ("error_class",),
    "leaderboard": (),
    "operation-by-evidence": ("policy", "evidence"),
    "operation-by-evidence-same-models": ("policy", "evidence"),
    "operation-by-evidence-by-entrant": ("policy", "evidence"),
}
"""Table → the groupings that become columns."""

NUMBERED = {"positions": ("start", "end")}
"""Table → the numbers that say which group a row is of."""

_NUMBERS = {Rate, Mean, Interval, int, float}
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Head:
    """One heading over columns."""

    text: str
    columns: int = 1
    rows: int = 1
    is_key: bool = False
    """Over groups, and not over figures."""


@dataclass(frozen=True)
class Row:
    """One line: its group, then its figures."""

    keys: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    again: int = 0
    """How many of the keys are those of the line above."""


@dataclass(frozen=True)
class Grid:
    """What a page shows of a table."""

    heads: tuple[tuple[Head, ...], ...]
    rows: tuple[Row, ...]
    fixed: tuple[str, ...] = ()
    """Groupings that all lines share: said once."""

    @property
    def is_grouped(self) -> bool:
        """Whether a group goes over several lines."""
        return any(row.again for row in self.rows)


def grid(
    table: Table[Any],
    columns: Sequence[str] | None = None,
    *,
    rows: Iterable[Record] | None = None,
    without: Collection[str] = (),
    links: Mapping[str, str] | None = None,
) -> Grid:
    """Lays a table out.

    Text fields say which group a row is of; of these, ``columns`` are put
    side by side as far as that can be read.

    Args:
        table: Any.
        columns: Groupings, outermost first; by the table's name if ``None``.
        rows: Some of its rows; all of them if ``None``.
        without: Fields that are left out.
        links: Entrant → its page.
    """
    lines = list(table.rows if rows is None else rows)
    keys, values = _fields(table, without)
    fixed = [name for name in keys if len(lines) > 1 and len(_distinct(lines, name)) == 1]
    keys = [name for name in keys if name not in fixed]
    wanted = PIVOTS.get(table.name, SIDE_BY_SIDE) if columns is None else columns
    across = _readable(lines, [name for name in wanted if name in keys], keys, len(values))
    return _laid_out(lines, keys, values, across, links or {}, _said(lines, fixed))


def _laid_out(
    lines: Sequence[Record],
    keys: Sequence[str],
    values: Sequence[str],
    across: Sequence[str],
    links: Mapping[str, str],
    fixed: tuple[str, ...],
) -> Grid:
    down = [name for name in keys if name not in across]
    columns = ordered(_key(line, across) for line in lines)
    rows: list[Row] = []
    above: Key = ()
    for place, held in _places(lines, down, across):
        cells = tuple(
            NOTHING if line is None else cell(name, getattr(line, name))
            for line in map(held.get, columns)
            for name in values
        )
        heads = tuple(_key_cell(*one, links) for one in zip(down, place, strict=True))
        rows.append(Row(heads, cells, _again(above, place)))
        above = place
    return Grid(_heads(down, across, values, columns), tuple(rows), fixed)


def _places(
    lines: Sequence[Record], down: Sequence[str], across: Sequence[str]
) -> Iterator[tuple[Key, dict[Key, Record]]]:
    """Each line of the grid: its group, and the row of the table in each column."""
    if not across:
        yield from ((_key(line, down), {(): line}) for line in lines)
        return
    found: dict[Key, dict[Key, Record]] = {}
    for line in lines:
        found.setdefault(_key(line, down), {})[_key(line, across)] = line
    yield from found.items()


def _heads(
    down: Sequence[str], across: Sequence[str], values: Sequence[str], columns: Sequence[Key]
) -> tuple[tuple[Head, ...], ...]:
    named = len(values) > 1 or not across
    levels = [
        [
            Head(shown(key[-1]), columns=len(list(run)) * len(values))
            for key, run in groupby(column[: at + 1] for column in columns)
        ]
        for at in range(len(across))
    ]
    if named:
        levels.append([Head(heading(name)) for _ in columns for name in values])
    corner = [Head(heading(name), rows=len(levels), is_key=True) for name in down]
    return tuple(tuple([*corner, *level] if not at else level) for at, level in enumerate(levels))


def _readable(
    lines: Sequence[Record], across: list[str], keys: Sequence[str], values: int
) -> list[str]:
    """As many of the groupings as fit side by side and leave one row to a place."""
    while across:
        down = [name for name in keys if name not in across]
        columns = {_key(line, across) for line in lines}
        places = {(_key(line, down), _key(line, across)) for line in lines}
        if len(columns) * values <= WIDEST and len(places) == len(lines):
            return across
        across = across[:-1]
    return across


def _fields(table: Table[Any], without: Collection[str]) -> tuple[list[str], list[str]]:
    """The fields that say which group a row is of, and those that hold its figures."""
    groups = NUMBERED.get(table.name, ())
    names = [name for name in table.model.model_fields if name not in without]
    values = [name for name in names if _is_number(table.model, name) and name not in groups]
    return [name for name in names if name not in values], values


def _is_number(model: type[Record], name: str) -> bool:
    of = model.model_fields[name].annotation
    return set(get_args(of) or (of,)) - {NoneType} <= _NUMBERS


def _distinct(lines: Sequence[Record], name: str) -> set[Any]:
    return {getattr(line, name) for line in lines}


def _key(line: Record, names: Sequence[str]) -> Key:
    return tuple(getattr(line, name) for name in names)


def _key_cell(name: str, value: Any, links: Mapping[str, str]) -> Cell:
    made = cell(name, value)
    return Cell(made.text, is_number=False, link=links.get(str(value), ""))


def _again(above: Key, place: Key) -> int:
    same = (one == other for one, other in zip(above, place, strict=False))
    return next((at for at, equal in enumerate(same) if not equal), 0)


def _said(lines: Sequence[Record], fixed: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{heading(name)}: {cell(name, value).text}"
        for name in fixed
        for value in (getattr(lines[0], name),)
        if value not in (None, "", ())
    )
