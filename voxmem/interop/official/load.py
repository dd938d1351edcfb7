"""``voxmem import official``: Parquet files of the published layout into a root."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.parquet import read_rows
from voxmem.keys import short
from voxmem.store.root import Root

TABLE = "official_items"


def parquet_files(paths: list[Path]) -> list[Path]:
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
            "there is no Parquet file", item=", ".join(map(str, paths)), stage="import"
        )
    return list(found)


def read_official(root: Root, files: list[Path]) -> Iterator[OfficialItem]:
    """The items of files, their audio kept in the root. An item that several files hold, as the
    published configs do, comes once.

    Raises:
        InputError: A file is damaged, or holds another item under a known id.
    """
    seen: dict[str, OfficialItem] = {}
    for item in read_rows(files, root.objects.put):
        known = seen.setdefault(item.item_id, item)
        if known is item:
            yield item
        elif known != item:
            raise InputError("two different items share this id", item=item.item_id, stage="import")


def import_official(root: Root, paths: list[Path]) -> tuple[str, int]:
    """Keeps the items as one part of the table ``official_items``.

    Returns:
        The part's name and the number of items.
    """
    items = sorted(read_official(root, parquet_files(paths)), key=lambda item: item.item_id)
    part = short("official", [item.model_dump(mode="json") for item in items], digits=20)
    root.tables.write(TABLE, part, items, OfficialItem)
    return part, len(items)


def differences(mine: list[OfficialItem], theirs: list[OfficialItem]) -> list[str]:
    """What differs between two sets of items, a line each."""
    left = {item.item_id: item for item in mine}
    right = {item.item_id: item for item in theirs}
    lines = [f"{name}: only in one of them" for name in sorted(left.keys() ^ right.keys())]
    for name in sorted(left.keys() & right.keys()):
        fields = [
            field
            for field in OfficialItem.model_fields
            if getattr(left[name], field) != getattr(right[name], field)
        ]
        if fields:
            lines.append(f"{name}: {', '.join(fields)}")
    return lines
