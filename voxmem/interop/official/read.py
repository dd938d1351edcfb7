"""Parquet files of the published layout, a row at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from voxmem.errors import InputError, UsageError
from voxmem.interop.official.layout import COLUMNS, differences
from voxmem.interop.official.unit import Unit
from voxmem.keys import key

_BUFFER = 2**20


def parquet_units(paths: Sequence[Path], *, apart_from: Path | None = None) -> list[Unit]:
    """A unit for each Parquet file that paths name: files, or folders that are searched.

    Args:
        apart_from: A folder in which folders are not searched, such as the store's own tables.

    Raises:
        UsageError: A path does not exist.
        InputError: There is no Parquet file, or one is damaged.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise UsageError("there is no such file or folder", item=str(path), stage="import")
        files = [path] if path.is_file() else _searched(path, apart_from)
        for file in files:
            found.setdefault(file, path.parent if path.is_file() else path)
    if not found:
        raise InputError(
            "there is no Parquet file",
            item=", ".join(map(str, paths)),
            stage="import",
            remedy="name the folder of an export or of a downloaded dataset",
        )
    return [
        Unit(
            name=str(file),
            identity=_identity(file),
            folder=folder,
            rows=partial(read_rows, file, str(file)),
        )
        for file, folder in found.items()
    ]


def _searched(folder: Path, apart_from: Path | None) -> list[Path]:
    found = sorted(folder.rglob("*.parquet"))
    if apart_from is None:
        return found
    return [file for file in found if not file.resolve().is_relative_to(apart_from.resolve())]


def read_rows(
    source: Path | BinaryIO, name: str, *, buffer: int = _BUFFER
) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file; no more than about one is in memory, however large the row
    groups are.

    Args:
        name: Of the file, for messages.
        buffer: Bytes that are read at once, of each column.

    Raises:
        InputError: The file is damaged, or lacks a column.
    """
    with _opened(source, name, buffer) as file:
        found = differences(file.schema_arrow)
        if found:
            raise unreadable(name, "; ".join(found))
        # Not by row group: other writers put a hundred rows, and gigabytes, into one.
        for batch in file.iter_batches(batch_size=1, columns=list(COLUMNS)):
            yield from batch.to_pylist()


def version_of(file: Path) -> str | None:
    """The release that a file was exported from.

    Raises:
        InputError: The file is damaged, or is none of this layout.
    """
    with _opened(file, str(file), _BUFFER) as source:
        if source.schema_arrow.get_field_index("benchmark_version") < 0:
            raise unreadable(str(file), "there is no benchmark_version")
        for batch in source.iter_batches(batch_size=1, columns=["benchmark_version"]):
            return str(batch.to_pylist()[0]["benchmark_version"])
    return None


@contextmanager
def _opened(source: Path | BinaryIO, name: str, buffer: int) -> Iterator[pq.ParquetFile]:
    try:
        # Both are needed for a column to be read page by page rather than a row group at once.
        with pq.ParquetFile(
            source, buffer_size=buffer, pre_buffer=False, page_checksum_verification=True
        ) as file:
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable(name, f"cannot be read: {first_line(error)}") from error


def _identity(file: Path) -> str:
    """Changes with the file: of its name, size, time of change, and footer, which says where every
    page lies."""
    try:
        about = file.stat()
        with file.open("rb") as opened:
            opened.seek(max(0, about.st_size - 8))
            length = int.from_bytes(opened.read(4), "little")
            opened.seek(max(0, about.st_size - 8 - length))
            footer = hashlib.sha256(opened.read()).hexdigest()
    except OSError as error:
        raise unreadable(str(file), f"cannot be read: {first_line(error)}") from error
    return key("file", file.name, about.st_size, about.st_mtime_ns, footer)


def first_line(error: BaseException) -> str:
    """What an error of a library says, in one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def unreadable(name: str, what: str) -> InputError:
    """The error of a file that is not what it should be."""
    return InputError(
        what, item=name, stage="import", remedy="give Parquet files of the published layout"
    )
