"""``voxmem export official``: a release in the published layout, with its card and metadata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.card import dataset_card
from voxmem.interop.croissant import croissant_file
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.parquet import ShardWriter
from voxmem.store.release import Release


def export_official(
    rows: ReleaseRows, out: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, int]:
    """Writes ``data/<length>_<evidence type>/train-*.parquet``, ``README.md`` and
    ``croissant.json``. The four configs of a whole length are globs over its evidence types, so
    that no byte is written twice.

    Returns:
        Config → rows.

    Raises:
        UsageError: The folder holds an export already.
        StoreError: The folder cannot be written.
    """
    data = out / "data"
    if data.exists() and any(data.iterdir()):
        raise UsageError(
            "holds an export already", item=str(out), stage="export", remedy="name another folder"
        )
    writers: dict[str, ShardWriter] = {}
    counts: dict[str, int] = {}
    total = len(rows.histories)
    for done, item in enumerate(official_items(rows), start=1):
        if item.config not in writers:
            writers[item.config] = ShardWriter(data / item.config, rows.root.objects.get)
        writers[item.config].add(item)
        counts[item.config] = counts.get(item.config, 0) + 1
        progress(done, total)
    for writer in writers.values():
        writer.close()
    counts = dict(sorted(counts.items()))
    (out / "README.md").write_text(dataset_card(rows.release, counts), encoding="utf-8")
    write_croissant(rows.release, out)
    return counts


def write_croissant(release: Release, out: Path) -> Path:
    """``voxmem export croissant``: describes the files of an export in ``croissant.json``.

    Raises:
        UsageError: The folder holds no export.
    """
    folders = sorted(folder for folder in (out / "data").glob("*") if folder.is_dir())
    files = {folder.name: sorted(folder.glob("*.parquet")) for folder in folders}
    if not any(files.values()):
        raise UsageError(
            "holds no export to describe",
            item=str(out),
            stage="export",
            remedy="run first: voxmem export official",
        )
    file = out / "croissant.json"
    file.write_text(croissant_file(release, out, files), encoding="utf-8")
    return file
