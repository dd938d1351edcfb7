"""A queue as a table in a file, for those who label without a connection to this machine."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from voxmem.errors import InputError
from voxmem.quality.labelling.records import L, Label
from voxmem.quality.labelling.task import Task
from voxmem.records import Record

_WRITTEN = ("annotator", "note")
"""What annotators write."""
_AHEAD = timedelta(days=1)
"""How far clocks may differ."""
_FORMULA = re.compile(r"'*[=+@-]")
"""Begins what a spreadsheet computes, unless an apostrophe comes first."""


class Imported(Record):
    """What came of reading a file."""

    added: int
    known: int
    """Lines that say what their annotator has said already."""
    blank: int
    faults: tuple[str, ...]
    """A line each, by its number in the file."""


def write_sheet(task: Task[L], annotator: str | None) -> str:
    """The queue as CSV, a line for each label that counts; without one the line is left to fill.
    What there is beside the columns of a label tells the annotator what is labelled.

    Args:
        annotator: Whose labels; those of all if absent.
    """
    said = task.latest()
    file = io.StringIO()
    about = list(task.about(task.queue[0])) if task.queue else []
    writer = csv.DictWriter(file, (*task.columns, *about), lineterminator="\n")
    writer.writeheader()
    for name in task.queue:
        shown = task.about(name)
        shown = _untouched(shown, shown)
        rows = [row for who, row in sorted(said.get(name, {}).items()) if annotator in (None, who)]
        blank = {**task.identity(name), "annotator": annotator or ""}
        for line in [row.model_dump(mode="json") for row in rows] or [blank]:
            writer.writerow({**_untouched(line, _WRITTEN), **shown})
    return file.getvalue()


def read_sheet(
    text: str, task: Task[L], annotator: str | None, now: datetime, *, file: str | None = None
) -> Imported:
    """Keeps the labels of a CSV file. A line that is wrong is named, and the rest goes on.

    Args:
        annotator: Of the lines that name none.
        now: Of the lines that have no time.
        file: Is named in errors.

    Raises:
        InputError: A column is missing, or a line has no end; no label is kept.
        StoreError: The root cannot be written.
    """
    said = task.latest()
    added = known = blank = 0
    faults: list[str] = []
    head, *rows = list(_rows(text, file)) or [_Row(1, 1, [])]
    columns = _columns(head, task, file)
    for lines in rows:
        try:
            line = _fields(columns, task, lines)
            if not line[task.model.SAYS]:
                blank += 1
                continue
            named = {"annotator": line["annotator"] or annotator or "", "time": line["time"] or now}
            row = task.check({**line, **named})
            if row.time > now + _AHEAD:  # nobody could take it back: the latest one counts
                raise InputError("time: is still to come")
        except InputError as error:
            faults.append(f"line {lines.first}: {error.message}")
            continue
        before = said.setdefault(task.subject_of(row) or row.subject, {})
        if _says(before.get(row.annotator)) == _says(row):
            known += 1
            continue
        task.labels.add(row)
        before[row.annotator] = row
        added += 1
    return Imported(added=added, known=known, blank=blank, faults=tuple(faults))


def _untouched(fields: Mapping[str, object], names: Collection[str]) -> dict[str, object]:
    """With an apostrophe before what a spreadsheet would compute in some fields; one that is there
    gets another, as reading takes one away."""
    return {
        name: f"'{value}" if name in names and _FORMULA.match(str(value)) else value
        for name, value in fields.items()
    }


class _Row(NamedTuple):
    """Lines of the file, by number, and their values: none if their quotes do not match."""

    first: int
    last: int
    values: list[str]


def _rows(text: str, file: str | None) -> Iterator[_Row]:
    lines = io.StringIO(text.removeprefix("\ufeff"))
    reader = csv.reader(lines, strict=True)
    while True:
        first, start = reader.line_num + 1, lines.tell()
        try:
            values = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if lines.tell() - start > csv.field_size_limit():
                raise InputError(
                    f"line {first}: {error}",
                    item=file,
                    stage="audit",
                    remedy="close the quote that is open there, or make the line shorter",
                ) from error
            yield _Row(first, reader.line_num, [])
        else:
            if values:
                yield _Row(first, reader.line_num, values)


def _columns(row: _Row, task: Task[L], file: str | None) -> list[str]:
    missing = [name for name in task.columns if name not in row.values]
    if missing:
        raise InputError(
            f"there is no column {', '.join(missing)}",
            item=file,
            stage="audit",
            remedy=f"begin with what `{task.command} --export FILE` writes",
        )
    return row.values


def _fields(columns: list[str], task: Task[L], row: _Row) -> dict[str, str]:
    if not row.values:
        raise InputError(f"a quote is not closed; nothing is read up to line {row.last}")
    if len(row.values) < len(columns) or any(row.values[len(columns) :]):
        raise InputError(f"it has {len(row.values)} values, for {len(columns)} columns")
    fields = dict(zip(columns, map(str.strip, row.values), strict=False))
    for name in _WRITTEN:
        if _FORMULA.match(fields[name]):
            fields[name] = fields[name].removeprefix("'")
    return {name: fields[name] for name in task.columns}


def _says(row: Label | None) -> dict[str, object]:
    return {} if row is None else row.model_dump(exclude={"annotator", "time"})
