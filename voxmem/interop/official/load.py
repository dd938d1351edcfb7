"""``voxmem import official``: Parquet files of the published layout into a root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.read import read_rows
from voxmem.keys import key, short
from voxmem.store.root import Root

TABLE = "official_items"
_BATCH = 64
"""Items of one part: a benchmark's million placed turns do not fit in memory at once."""


@dataclass(frozen=True)
class Imported:
    """What an import left in a root: parts of the table ``official_items``, and their rows."""

    parts: tuple[str, ...]
    items: int


def import_official(root: Root, paths: Sequence[Path]) -> Imported:
    """Keeps the items of files as parts of a table, their audio as objects. An item that several
    files hold, as the published configs do, is kept once.

    Raises:
        UsageError: A path does not exist.
        InputError: There is no Parquet file, one is damaged, or two items share an id. No part of
            the import is kept then.
        StoreError: The root cannot be written.
    """
    parts: list[str] = []
    count = 0
    items = _unique(read_rows(parquet_files(paths), root.objects.put))
    with ExitStack() as undo:
        while batch := list(islice(items, _BATCH)):
            part = short("official", [content for content, _ in batch], digits=20)
            if not root.tables.has(TABLE, part):
                undo.callback(root.tables.path(TABLE, part).unlink, missing_ok=True)
            root.tables.write(TABLE, part, [item for _, item in batch], OfficialItem)
            parts.append(part)
            count += len(batch)
        undo.pop_all()
    if not count:
        raise InputError(
            "the Parquet files have no rows", item=", ".join(map(str, paths)), stage="import"
        )
    return Imported(tuple(parts), count)


def imported_items(root: Root, imported: Imported) -> Iterator[OfficialItem]:
    """The items of an import, a part at a time."""
    for part in imported.parts:
        yield from root.tables.read(TABLE, OfficialItem, [part])


def parquet_files(paths: Sequence[Path]) -> list[Path]:
    """The Parquet files that paths name: files, or folders that are searched.

    Raises:
        UsageError: A path does not exist.
        InputError: There is no Parquet file.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UsageError("there is no such file or folder", item=str(path), stage="import")
        found |= dict.fromkeys([path] if path.is_file() else sorted(path.rglob("*.parquet")))
    if not found:
        raise InputError(
            "there is no Parquet file",
            item=", ".join(map(str, paths)),
            stage="import",
            remedy="name the folder of an export or of a downloaded dataset",
        )
    return list(found)


def _unique(items: Iterable[OfficialItem]) -> Iterator[tuple[str, OfficialItem]]:
    """Every item once, after the key of its content."""
    seen: dict[str, str] = {}
    for item in items:
        content = key(item)
        if item.item_id not in seen:
            seen[item.item_id] = content
            yield content, item
        elif seen[item.item_id] != content:
            raise InputError(
                "two different items share this id",
                item=item.item_id,
                stage="import",
                remedy="import the files of one release at a time",
            )
