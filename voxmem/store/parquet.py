"""Records to the bytes of one Parquet part and back.

Equal rows give equal bytes. The part carries the name of its record, the kind of each column and
a digest of its rows; what was damaged is found when it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

from voxmem.errors import InputError
from voxmem.keys import canonical_json
from voxmem.store.columns import Kind, column_kinds

ROW_GROUP_BYTES = 100 * 2**20
"""The most that a row group holds before compression (a single larger row has its own)."""

_RECORD = b"voxmem.record"
_DIGEST = b"voxmem.rows"
_FORMAT = 1
_encode = json.JSONEncoder(ensure_ascii=False).encode
_ARROW: dict[Kind, pa.DataType] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "truth": pa.bool_(),
    "json": pa.string(),
}


class UnreadablePartError(ValueError):
    """The bytes are no part that this module wrote, or no longer."""


@dataclass(frozen=True)
class Part:
    """What one part holds, before it is validated against a record model."""

    record: str
    """The name of the record model that wrote it."""
    kinds: dict[str, Kind]
    rows: list[str]
    """Each row as canonical JSON, its fields in the order of the model."""


def encode(model: type[BaseModel], rows: Sequence[BaseModel]) -> bytes:
    """The Parquet file that holds ``rows`` (zstd; no rows leave the schema).

    Raises:
        InputError: a row is no ``model``, or holds what a column cannot (an integer beyond
            64 bits, NaN inside a nested field).
    """
    kinds = column_kinds(model)
    plain = [_plain(model, row, number) for number, row in enumerate(rows, start=1)]
    columns = [_column(name, kind, [row[name] for row in plain]) for name, kind in kinds.items()]
    schema = pa.schema([pa.field(name, _ARROW[kind]) for name, kind in kinds.items()])
    table = pa.Table.from_arrays(columns, schema=schema)
    metadata = {
        _RECORD: canonical_json({"format": _FORMAT, "record": model.__name__, "kinds": kinds}),
        _DIGEST: digest(_row_texts(table, kinds)),
    }
    return _file(table.replace_schema_metadata(metadata))


def decode(data: bytes) -> Part:
    """What the bytes of a part hold, verified against the digest that it carries.

    Raises:
        UnreadablePartError: the file is cut, damaged, or not one of ours.
    """
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read(use_threads=False)
        record, kinds = _head(table.schema)
        rows = _row_texts(table, kinds)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadablePartError(_first_line(error)) from error
    if digest(rows).encode() != table.schema.metadata.get(_DIGEST):
        raise UnreadablePartError("its rows are not those that were written")
    return Part(record, kinds, rows)


def columns(data: bytes, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """Of every row the named fields alone, in the order written; a JSON field as its text.

    It is not verified: the digest is of whole rows.

    Raises:
        UnreadablePartError: the file is cut, not one of ours, or lacks a field.
    """
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read(columns=list(names), use_threads=False)
        return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadablePartError(_first_line(error)) from error


def head(data: bytes) -> tuple[str, dict[str, Kind]]:
    """The record name and the kinds of the columns, read from the footer alone.

    Raises:
        UnreadablePartError: the footer is cut, damaged, or not one of ours.
    """
    try:
        return _head(pq.ParquetFile(pa.BufferReader(data)).schema_arrow)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadablePartError(_first_line(error)) from error


def digest(rows: Iterable[str]) -> str:
    """The SHA-256 of rows as a bag: neither their order nor their split into parts counts."""
    each = sorted(hashlib.sha256(row.encode()).digest() for row in rows)
    return hashlib.sha256(b"".join(each)).hexdigest()


def _plain(model: type[BaseModel], row: BaseModel, number: int) -> dict[str, object]:
    if type(row) is not model:
        raise InputError(f"row {number} is a {type(row).__name__}, not a {model.__name__}")
    values: dict[str, object] = row.model_dump(mode="json")
    return values


def _column(name: str, kind: Kind, values: list[object]) -> pa.Array:
    try:
        if kind == "json":
            values = [None if value is None else canonical_json(value) for value in values]
        return pa.array(values, type=_ARROW[kind])
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise InputError(
            f"the field {name!r} holds what a column of kind {kind!r} cannot: {_first_line(error)}"
        ) from error


def _file(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    # A fixed format version keeps the bytes the same when the library's default moves on.
    with pq.ParquetWriter(sink, table.schema, compression="zstd", version="2.6") as writer:
        for group in _row_groups(table):
            writer.write_table(group, row_group_size=max(1, group.num_rows))
    return sink.getvalue()


def _row_groups(table: pa.Table) -> Iterator[pa.Table]:
    if table.nbytes <= ROW_GROUP_BYTES or table.num_rows <= 1:
        yield table
    else:
        half = table.num_rows // 2
        yield from _row_groups(table.slice(0, half))
        yield from _row_groups(table.slice(half))


def _head(schema: pa.Schema) -> tuple[str, dict[str, Kind]]:
    about = json.loads(schema.metadata[_RECORD])
    if about["format"] != _FORMAT:
        raise ValueError(f"its format is {about['format']!r}, this version reads {_FORMAT}")
    # The footer's JSON is sorted by name; the columns keep the order of the model.
    return about["record"], {name: about["kinds"][name] for name in schema.names}


def _row_texts(table: pa.Table, kinds: Mapping[str, Kind]) -> list[str]:
    columns = []
    for name, kind in kinds.items():
        label = f"{json.dumps(name)}:"
        values = table.column(name).to_pylist()
        if kind == "json":
            columns.append([label + ("null" if value is None else value) for value in values])
        else:
            columns.append([label + _encode(value) for value in values])
    return ["{" + ",".join(cells) + "}" for cells in zip(*columns, strict=True)]


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
