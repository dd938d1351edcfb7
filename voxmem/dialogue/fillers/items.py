"""The records of JSON, JSON-lines and Parquet files, one at a time: files may be larger than
memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from voxmem.errors import InputError

SUFFIXES = (".json", ".jsonl", ".parquet")
_CHUNK = 1 << 20
_LARGEST = 1 << 26
"""Characters that one record may have."""
_OPENING = re.compile(r"\ufeff?\s*\[")
_BETWEEN = re.compile(r"[\s,]*")


def read_items(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    """The records of a file.

    Args:
        path: A JSON array, JSON lines, or a Parquet table.
        columns: The columns that are read of a table.

    Raises:
        InputError: The file is damaged, or has other columns.
    """
    try:
        if path.suffix == ".parquet":
            yield from _rows(path, columns)
        else:
            with path.open(encoding="utf-8") as file:
                yield from _lines(file) if path.suffix == ".jsonl" else _array(file)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be read: {error}",
            item=str(path),
            stage="write",
            remedy="download it again; it seems to be cut off or damaged",
        ) from error


def _rows(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as table:
        missing = [name for name in columns if name not in table.schema_arrow.names]
        if missing:
            raise ValueError(f"there is no column {missing[0]!r}")
        for batch in table.iter_batches(batch_size=256, columns=list(columns)):
            yield from batch.to_pylist()


def _lines(file: TextIO) -> Iterator[Any]:
    yield from (json.loads(line) for line in file if line.strip())


def _array(file: TextIO) -> Iterator[Any]:
    """The elements of one JSON array, parsed as they arrive."""
    decode = json.JSONDecoder().raw_decode
    text = file.read(_CHUNK)
    at = _end(_OPENING, text, 0)
    if at is None:
        raise ValueError("it does not hold a JSON array")
    while True:
        at = _end(_BETWEEN, text, at) or at
        if text.startswith("]", at):
            return
        try:
            item, at = decode(text, at)
        except json.JSONDecodeError as error:
            more = file.read(_CHUNK)
            if not more or len(text) - at > _LARGEST:
                raise ValueError(f"it ends or breaks within a record ({error.msg})") from error
            text, at = text[at:] + more, 0
        else:
            yield item


def _end(pattern: re.Pattern[str], text: str, at: int) -> int | None:
    found = pattern.match(text, at)
    return found.end() if found else None
