"""An import becomes a release, so that it is evaluated, judged and reported like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from voxmem import __version__
from voxmem.evaluate.items import IMPORTED_CLIPS
from voxmem.interop.official.load import Imported, imported_items
from voxmem.interop.official.records import ImportNote, PublishedItem, Rejection
from voxmem.interop.official.tables import ImportRows
from voxmem.interop.official.unite import unite
from voxmem.keys import short
from voxmem.records import (
    AskedQuestion,
    History,
    ImportedClip,
    Record,
    Session,
)
from voxmem.store.release import Release, is_complete, load, publish
from voxmem.store.root import Root

R = TypeVar("R", bound=Record)
ITEMS, REJECTIONS, NOTES = "official_items", "import_rejections", "import_notes"
LICENCES = {"the published dataset": "CC BY-NC 4.0 (its sounds are of ESC-50)"}
REVISION = 1
"""Raise it when the same items become another release."""


Published = tuple[Release | None, tuple[Rejection, ...], tuple[ImportNote, ...]]
"""The release, ``None`` if no item can be asked; everything that was left out; what is odd."""


def publish_import(
    root: Root, imported: Imported, *, name: str = "official", revision: str | None = None
) -> Published:
    """Publishes what can be asked of an import, unless that was done.

    Args:
        name: Of the release.
        revision: Of the dataset, if it has one.

    Raises:
        MissingExtra: The vocabulary that lengths are counted with is not installed.
        StoreError: The root cannot be written.
    """
    document = f"imports/{_key(imported, name, revision)}"
    known = _known(root, document)
    if known is not None:
        return known
    notes = Counter({note.note: note.count for note in imported.notes})
    first = {note.note: note.first for note in imported.notes}

    def note(item: str, what: str) -> None:
        notes[what] += 1
        first.setdefault(what, item)

    united = unite(imported_items(root, imported), imported.measures, note)
    rows = ImportRows(united, imported.measures)
    rejections = tuple(sorted((*imported.rejections, *united.rejections), key=_order))
    noted = tuple(
        ImportNote(note=what, count=notes[what], first=first[what]) for what in sorted(notes)
    )
    if not united.items:
        return None, rejections, noted
    tables: dict[str, tuple[type[Record], Sequence[Record]]] = {
        "questions": (AskedQuestion, rows.questions),
        "sessions": (Session, rows.sessions),
        "histories": (History, rows.histories),
        IMPORTED_CLIPS: (ImportedClip, rows.clips),
        ITEMS: (PublishedItem, rows.items),
        REJECTIONS: (Rejection, rejections),
        NOTES: (ImportNote, noted),
    }
    release = publish(
        root,
        name,
        {table: [_write(root, table, *held)] for table, held in tables.items()},
        objects=(clip.sha256 for clip in rows.clips),
        counts=_counts(rows, rejections, notes),
        licences=LICENCES,
        versions=_versions(rows.items, revision),
        config={"layout": "official", "name": name, "text_only": False},
        seed=0,
    )
    root.put_json(document, release.release_id)
    return release, rejections, noted


def _key(imported: Imported, name: str, revision: str | None) -> str:
    seen = (imported.parts, sorted(imported.ids), imported.rejections, imported.notes)
    return short("release", REVISION, name, revision, seen, digits=20)


def _known(root: Root, document: str) -> Published | None:
    """What an earlier publication left, if all of it is there."""
    release_id = root.get_json(document)
    if release_id is None or release_id not in root.releases():
        return None
    release = load(root, release_id)
    if not is_complete(root, release):
        return None

    def rows(table: str, model: type[R]) -> tuple[R, ...]:
        return tuple(root.tables.read(table, model, release.tables[table].parts))

    return release, rows(REJECTIONS, Rejection), rows(NOTES, ImportNote)


def _write(root: Root, table: str, model: type[Record], rows: Sequence[Record]) -> str:
    part = short("import", REVISION, table, rows, digits=20)
    root.tables.write(table, part, rows, model)
    return part


def _order(rejection: Rejection) -> tuple[str, str, str]:
    return rejection.item, rejection.stage, rejection.reason


def _counts(
    rows: ImportRows, rejections: Sequence[Rejection], notes: Mapping[str, int]
) -> dict[str, int]:
    clips = {clip.sha256: clip for clip in rows.clips}
    left_out = Counter(f"left out: {rejection.stage}" for rejection in rejections)
    return {
        "items": len(rows.items),
        "items left out": len({rejection.item for rejection in rejections}),
        **dict(sorted(left_out.items())),
        "questions": len(rows.questions),
        "sessions": len(rows.sessions),
        "placed sessions": sum(len(history.placements) for history in rows.histories),
        "placed clips": sum(history.length.clips for history in rows.histories),
        "clips": len(clips),
        "bytes of clips in rows": rows.bytes_placed,
        "bytes of clips kept": rows.bytes_kept,
        "seconds of clips": round(sum(clip.seconds for clip in clips.values())),
        **_published_against_ours(rows.items),
        **{f"note: {what}": count for what, count in sorted(notes.items())},
    }


def _published_against_ours(items: Sequence[PublishedItem]) -> dict[str, int]:
    return {
        "history audio tokens as published": sum(item.history_audio_tokens for item in items),
        "history audio tokens recomputed": sum(item.recomputed_audio_tokens for item in items),
        "history seconds as published": round(sum(item.history_duration_seconds for item in items)),
        "history seconds recomputed": round(
            sum(item.recomputed_duration_seconds for item in items)
        ),
        "items whose audio tokens differ": sum(
            item.history_audio_tokens != item.recomputed_audio_tokens for item in items
        ),
    }


def _versions(items: Sequence[PublishedItem], revision: str | None) -> dict[str, Any]:
    found = sorted({item.benchmark_version for item in items})
    return {
        "voxmem": __version__,
        "import": str(REVISION),
        "benchmark_version": ", ".join(found),
        **({} if revision is None else {"dataset revision": revision}),
    }
