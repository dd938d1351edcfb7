"""The audit as a table in a file, for those who listen without a connection to this machine."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from voxmem.errors import InputError
from voxmem.quality.audit.queue import Queued
from voxmem.quality.audit.records import Audits, ClipAudit, latest
from voxmem.quality.audit.source import ClipSource
from voxmem.records import Clip, Record

COLUMNS = ("clip_id", "sha256", "annotator", "time", "verdict", "fault", "note")
"""What is read back. What else there is tells the annotator what to hear."""
_ABOUT = ("text", "voice", "delivery", "sound", "audio")
_WRITTEN = ("annotator", "note")
"""What annotators write."""
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


def write_sheet(
    source: ClipSource, queue: Sequence[Queued], audits: Audits, annotator: str | None
) -> str:
    """The queue as CSV, a line for each verdict that counts; without one the line is left to fill.

    Args:
        annotator: Whose verdicts; those of all if absent.
    """
    heard = latest(audits.rows(), source.clips)
    file = io.StringIO()
    writer = csv.DictWriter(file, (*COLUMNS, *_ABOUT), lineterminator="\n")
    writer.writeheader()
    for clip_id, _ in queue:
        clip, verdicts = source.clips[clip_id], heard.get(clip_id, {})
        said = [row for name, row in sorted(verdicts.items()) if annotator in (None, name)]
        about = _about(source, clip)
        for row in said:
            writer.writerow({**_untouched(row.model_dump(mode="json")), **about})
        if not said:
            blank = {"clip_id": clip_id, "sha256": clip.sha256, "annotator": annotator or ""}
            writer.writerow({**_untouched(blank), **about})
    return file.getvalue()


def read_sheet(
    text: str,
    source: ClipSource,
    audits: Audits,
    annotator: str | None,
    now: datetime,
    *,
    file: str | None = None,
) -> Imported:
    """Keeps the verdicts of a CSV file. A line that is wrong is named, and the rest goes on.

    Args:
        annotator: Of the lines that name none.
        now: Of the lines that have no time.
        file: Is named in errors.

    Raises:
        InputError: A column is missing, or a line has no end; no verdict is kept.
        StoreError: The root cannot be written.
    """
    heard = latest(audits.rows(), source.clips)
    added = known = blank = 0
    faults: list[str] = []
    head, *rows = list(_rows(text, file)) or [_Row(1, 1, [])]
    columns = _columns(head, file)
    for lines in rows:
        try:
            line = _fields(columns, lines)
            if not line["verdict"]:
                blank += 1
                continue
            row = _row(line, source, annotator, now)
        except InputError as error:
            faults.append(f"line {lines.first}: {error.message}")
            continue
        if _says(heard.get(row.clip_id, {}).get(row.annotator)) == _says(row):
            known += 1
            continue
        audits.add(row)
        heard.setdefault(row.clip_id, {})[row.annotator] = row
        added += 1
    return Imported(added=added, known=known, blank=blank, faults=tuple(faults))


def _about(source: ClipSource, clip: Clip) -> dict[str, object]:
    spec = clip.spec
    return {
        "text": spec.text,
        "voice": spec.voice,
        "delivery": spec.delivery,
        "sound": spec.sound or "",
        "audio": source.objects.path_or_none(clip.sha256) or "",
    }


def _untouched(fields: dict[str, str]) -> dict[str, str]:
    """With an apostrophe before what a spreadsheet would compute; one that is there gets another,
    as reading takes one away."""
    return {
        name: f"'{value}" if name in _WRITTEN and _FORMULA.match(value) else value
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


def _columns(row: _Row, file: str | None) -> list[str]:
    missing = [name for name in COLUMNS if name not in row.values]
    if missing:
        raise InputError(
            f"there is no column {', '.join(missing)}",
            item=file,
            stage="audit",
            remedy="begin with what `voxmem audit clips --export FILE` writes",
        )
    return row.values


def _fields(columns: list[str], row: _Row) -> dict[str, str]:
    if not row.values:
        raise InputError(f"a quote is not closed; nothing is read up to line {row.last}")
    if len(row.values) < len(columns) or any(row.values[len(columns) :]):
        raise InputError(f"it has {len(row.values)} values, for {len(columns)} columns")
    fields = dict(zip(columns, map(str.strip, row.values), strict=False))
    for name in _WRITTEN:
        if _FORMULA.match(fields[name]):
            fields[name] = fields[name].removeprefix("'")
    return {name: fields[name] for name in COLUMNS}


def _row(
    line: dict[str, str], source: ClipSource, annotator: str | None, now: datetime
) -> ClipAudit:
    clip = source.clips.get(line["clip_id"])
    if clip is None:
        raise InputError(f"there is no clip {line['clip_id']!r}")
    if clip.sha256 != line["sha256"]:
        raise InputError("the clip was spoken again since: listen to it once more")
    return checked(
        line | {"annotator": line["annotator"] or annotator or "", "time": line["time"] or now}
    )


def checked(fields: dict[str, object]) -> ClipAudit:
    """A verdict from what somebody has written.

    Raises:
        InputError: A field is wrong; it is named.
    """
    try:
        return ClipAudit.model_validate(fields | {"fault": fields.get("fault") or None})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "verdict"
        raise InputError(f"{where}: {first['msg']}", stage="audit") from error


def _says(row: ClipAudit | None) -> tuple[object, ...]:
    return () if row is None else (row.verdict, row.fault, row.note)
