"""``voxmem import official``, from sources to a release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voxmem.errors import UsageError
from voxmem.interop.official.hub import hub_units, is_hub_id
from voxmem.interop.official.load import Imported, import_units
from voxmem.interop.official.publish import publish_import
from voxmem.interop.official.read import parquet_units
from voxmem.interop.official.records import ImportNote, Rejection
from voxmem.interop.official.unit import Unit
from voxmem.store.release import Release
from voxmem.store.root import Root


@dataclass(frozen=True)
class ImportReport:
    """What came of an import."""

    imported: Imported
    release: Release | None
    """``None`` if no item can be asked, as in a dataset without audio."""
    rejections: tuple[Rejection, ...]
    notes: tuple[ImportNote, ...]

    @property
    def items(self) -> int:
        """That can be asked; without a release, that were read."""
        return self.imported.items if self.release is None else self.release.counts["items"]

    @property
    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "release": self.release and self.release.release_id,
            "items": self.items,
            "rows": self.imported.rows,
            "clips_in": self.imported.clips,
            "bytes_in": self.imported.bytes_in,
            "counts": {} if self.release is None else self.release.counts,
            "left_out": [each.model_dump() for each in self.rejections],
            "notes": [each.model_dump() for each in self.notes],
        }

    @property
    def lines(self) -> list[str]:
        """For people: what was kept, what it weighs, what was left out."""
        read = self.imported
        counts = {} if self.release is None else self.release.counts
        name = (
            "no release: nothing can be asked" if self.release is None else self.release.release_id
        )
        left = [f"left out {each.item}: {each.reason}" for each in self.rejections[:_SHOWN]]
        more = len(self.rejections) - len(left)
        return [
            f"{self.items} items in {name}",
            f"{read.clips:,} clips of {read.bytes_in:,} bytes in {read.rows} rows",
            *(f"{what}: {count:,}" for what, count in counts.items() if what in _COUNTS),
            *(f"note: {each.note} ({each.count}, first {each.first})" for each in self.notes),
            *left,
            *([f"… and {more} more, in the table import_rejections"] if more else []),
        ]


_SHOWN = 20
_COUNTS = frozenset(
    {
        "clips",
        "bytes of clips kept",
        "history audio tokens as published",
        "history audio tokens recomputed",
        "items whose audio tokens differ",
    }
)


def import_official(
    root: Root,
    sources: Sequence[str | Path],
    *,
    name: str = "official",
    configs: Sequence[str] = (),
    revision: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportReport:
    """Reads files, folders, or datasets of a hub, and publishes what can be asked.

    Args:
        sources: Paths, or ``owner/name`` on the hub.
        name: Of the release.
        configs, revision: Of datasets on the hub.

    Raises:
        UsageError: There is no such path, dataset or config; or configs of files were asked for.
        InputError: A file is damaged or lacks a column, or no row is an item.
        MissingExtra: A package that streams, decodes or counts is not installed.
        StoreError: The root cannot be written.
    """
    root.check_writable()
    units, commits = _units(root, sources, configs, revision)
    imported = import_units(root, units, progress)
    release, rejections, notes = publish_import(
        root, imported, name=name, revision=", ".join(commits) or None
    )
    return ImportReport(imported, release, rejections, notes)


def _units(
    root: Root, sources: Sequence[str | Path], configs: Sequence[str], revision: str | None
) -> tuple[list[Unit], list[str]]:
    units: list[Unit] = []
    commits: list[str] = []
    on_hub = [str(source) for source in sources if is_hub_id(str(source))]
    paths = [Path(source) for source in sources if not is_hub_id(str(source))]
    if paths:
        units += parquet_units(paths, apart_from=Path(root.uri) / "tables")
    if (configs or revision) and not on_hub:
        raise UsageError(
            "configs and revisions are of datasets on a hub",
            item=", ".join(map(str, paths)),
            stage="import",
            remedy="name the folders of the configs that are wanted",
        )
    for source in on_hub:
        streamed, commit = hub_units(source, configs, revision)
        units += streamed
        commits += [commit] if commit else []
    return units, commits
