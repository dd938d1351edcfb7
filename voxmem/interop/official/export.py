"""``voxmem export official``: a release in the published layout, with its card and metadata."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.card import dataset_card
from voxmem.interop.croissant import croissant_file
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.read import version_of
from voxmem.interop.official.staging import staged
from voxmem.interop.official.write import ShardWriter
from voxmem.store.release import Release

DATA, CARD, CROISSANT = "data", "README.md", "croissant.json"


def export_official(
    rows: ReleaseRows, out: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, int]:
    """Writes ``data/<length>_<evidence type>/train-*.parquet``, ``README.md`` and
    ``croissant.json``: all of them or none. The configs of a whole length are globs over its
    evidence types, so that no byte is written twice.

    Returns:
        Config → rows.

    Raises:
        UsageError: The folder holds something of these names already.
        InputError: The release has no items, or a clip of it is missing or damaged.
        StoreError: The folder cannot be written.
    """
    there = [name for name in (DATA, CARD, CROISSANT) if (out / name).exists()]
    if there:
        raise UsageError(
            f"holds {', '.join(there)} already",
            item=str(out),
            stage="export",
            remedy="name a new folder",
        )
    total = len(rows.histories)
    if not total:
        raise InputError(
            "the release has no items to export",
            item=rows.release.release_id,
            stage="export",
            remedy="build it again: its counts say what is lacking",
        )
    counts: dict[str, int] = {}
    with staged(out) as folder:
        for config, items in groupby(official_items(rows), key=lambda item: item.config):
            counts[config] = 0
            with ShardWriter(folder / DATA / config, rows.root.objects.get) as writer:
                for item in items:
                    writer.add(item)
                    counts[config] += 1
                    progress(sum(counts.values()), total)
        (folder / CARD).write_text(dataset_card(rows.release, counts), encoding="utf-8")
        _describe(rows.release, folder, folder / CROISSANT)
    return counts


def write_croissant(release: Release, out: Path) -> Path:
    """``voxmem export croissant``: describes the files of an export in ``croissant.json``.

    Raises:
        UsageError: The folder holds no export, or that of another release.
        StoreError: The folder cannot be written.
    """
    listed = _files(out)
    if not listed:
        raise UsageError(
            "holds no export to describe",
            item=str(out),
            stage="export",
            remedy="run first: voxmem export official",
        )
    for file in (file for group in listed.values() for file in group):
        found = version_of(file)
        if found != release.release_id:
            raise UsageError(
                f"is of the release {found}, not of {release.release_id}",
                item=str(file),
                stage="export",
                remedy="name the release that was exported, with --release",
            )
    with staged(out) as folder:
        _describe(release, out, folder / CROISSANT)
    return out / CROISSANT


def _describe(release: Release, folder: Path, file: Path) -> None:
    file.write_text(croissant_file(release, folder, _files(folder)), encoding="utf-8")


def _files(folder: Path) -> dict[str, list[Path]]:
    """Config → its files."""
    found: dict[str, list[Path]] = {}
    for file in sorted((folder / DATA).glob("*/*.parquet")):
        found.setdefault(file.parent.name, []).append(file)
    return found
