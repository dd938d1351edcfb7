"""An import becomes a release, so that it is evaluated, judged and reported like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voxmem import __version__
from voxmem.evaluate.items import IMPORTED_CLIPS
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.load import Imported, imported_items
from voxmem.interop.official.records import ClipMeasure, ImportNote, PublishedItem, Rejection
from voxmem.interop.official.told import ToldItem, session_of, user_audio
from voxmem.interop.official.unite import United, Variant, named, questions, unite, variant_of
from voxmem.keys import short
from voxmem.length import SAMPLE_RATE, audio_tokens
from voxmem.records import (
    AskedQuestion,
    History,
    ImportedClip,
    Placement,
    Record,
    Session,
)
from voxmem.store.release import Release, publish
from voxmem.store.root import Root

ITEMS, REJECTIONS, NOTES = "official_items", "import_rejections", "import_notes"
LICENCES = {"the published dataset": "CC BY-NC 4.0 (its sounds are of ESC-50)"}
REVISION = 1
"""Raise it when the same items become another release."""


def publish_import(
    root: Root, imported: Imported, *, name: str = "official", revision: str | None = None
) -> tuple[Release | None, tuple[Rejection, ...], tuple[ImportNote, ...]]:
    """Publishes what can be asked of an import.

    Args:
        name: Of the release.
        revision: Of the dataset, if it has one.

    Returns:
        The release, ``None`` if no item can be asked; everything that was left out; what is odd.

    Raises:
        MissingExtra: The vocabulary that lengths are counted with is not installed.
        StoreError: The root cannot be written.
    """
    notes = Counter({note.note: note.count for note in imported.notes})
    first = {note.note: note.first for note in imported.notes}

    def note(item: str, what: str) -> None:
        notes[what] += 1
        first.setdefault(what, item)

    united = unite(imported_items(root, imported), imported.measures, note)
    rows = _Rows(united, imported.measures)
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
    return release, rejections, noted


def _write(root: Root, table: str, model: type[Record], rows: Sequence[Record]) -> str:
    part = short("import", REVISION, table, rows, digits=20)
    root.tables.write(table, part, rows, model)
    return part


class _Rows:
    """The rows of a release, in the order of their ids."""

    def __init__(self, united: United, measures: Mapping[str, ClipMeasure]) -> None:
        self._united, self._measures = united, measures
        self._question_ids = named(sorted(united.questions))
        everywhere = dict.fromkeys(
            variant_of(place) for told in united.items for place in told.places
        )
        # The clips of sessions and of questions are named alike, so their ids must differ.
        taken = [name for name, _ in united.questions]
        self._session_ids = named(sorted(everywhere), taken)
        asked = questions(united, self._question_ids, self._session_ids)
        self.questions = sorted(asked.values(), key=lambda row: row.question_id)
        used = {variant_of(place) for told in united.items for place in told.places}
        self.sessions = [
            session_of(self._session_ids[variant], united.sessions[variant])
            for variant in sorted(used)
        ]
        self.histories = [self._history(told) for told in united.items]
        self.clips = [*self._session_clips(sorted(used)), *self._question_clips(asked)]
        self.items = [self._item(told) for told in united.items]

    @property
    def bytes_kept(self) -> int:
        """Of the recordings, each once."""
        return sum(self._measures[sha].size for sha in {clip.sha256 for clip in self.clips})

    @property
    def bytes_placed(self) -> int:
        """Of the recordings as the published rows repeat them."""
        size = Counter[str]()
        for clip in self.clips:
            size[clip.owner] += self._measures[clip.sha256].size
        return sum(
            size[name]
            for history in self.histories
            for name in (history.question_id, *(place.session_id for place in history.placements))
        )

    def _history(self, told: ToldItem) -> History:
        return History(
            item_id=told.item.item_id,
            question_id=self._question_ids[self._united.variant(told.item)],
            budget=told.item.context_length.upper(),
            placements=tuple(
                Placement(
                    session_id=self._session_ids[variant_of(place)],
                    timestamp=place.timestamp,
                    role=place.role,
                )
                for place in told.places
            ),
            length=told.length,
        )

    def _session_clips(self, variants: Sequence[Variant]) -> Iterator[ImportedClip]:
        for variant in variants:
            audio = user_audio(variant[0], self._united.sessions[variant])
            for turn, sha in enumerate(audio):
                yield self._clip(sha, self._session_ids[variant], turn)

    def _question_clips(self, asked: Mapping[Variant, AskedQuestion]) -> Iterator[ImportedClip]:
        for variant, question in asked.items():
            sha = self._united.questions[variant].item.question_audio
            yield self._clip(str(sha), question.question_id, 0)

    def _clip(self, sha: str, owner: str, turn: int) -> ImportedClip:
        measure = self._measures[sha]
        return ImportedClip(
            sha256=sha,
            samples=measure.samples,
            owner=owner,
            turn=turn,
            container=measure.container,
            rate=measure.rate,
        )

    def _item(self, told: ToldItem) -> PublishedItem:
        query = self._measures[str(told.item.question_audio)].samples
        # A history's own length is without the query, which its record includes.
        return PublishedItem(
            **{name: getattr(told.item, name) for name in OfficialItem.model_fields},
            session_ids=tuple(place.session_id for place in told.places),
            recomputed_audio_tokens=told.length.audio_tokens - audio_tokens(query),
            recomputed_duration_seconds=round(told.length.audio_seconds - query / SAMPLE_RATE, 6),
        )


def _order(rejection: Rejection) -> tuple[str, str, str]:
    return rejection.item, rejection.stage, rejection.reason


def _counts(
    rows: _Rows, rejections: Sequence[Rejection], notes: Mapping[str, int]
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
