"""The clips of a report: which it needs, and how they get into its folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from voxmem.analyze.report.site import Site
from voxmem.errors import InputError
from voxmem.evaluate.items import IMPORTED_CLIPS, ReleaseRows
from voxmem.records import AskedQuestion, Clip, ImportedClip, Session, StoredClip
from voxmem.store.objects import object_name

Played = tuple[str, str | None, float]
"""What one can listen to: what it is, where it is (``None``: not available), seconds."""


class Clips:
    """The clips of a release, and which of them can be listened to."""

    def __init__(self, rows: ReleaseRows) -> None:
        self._rows = rows
        self._spoken = not {"clips", IMPORTED_CLIPS}.isdisjoint(rows.release.tables)
        self._places: dict[str, str] = {}
        self._turns: dict[str, list[StoredClip | None]] = {}

    def turns(self, session: Session) -> list[StoredClip | None]:
        """Of every user turn; ``None`` where the release lacks one."""
        found = self._turns.get(session.session_id)
        if found is None:
            found = [self._turn(session, at) for at in range(len(session.user_turns))]
            self._turns[session.session_id] = found
        return found

    def question(self, question: AskedQuestion) -> StoredClip | None:
        """Of the spoken question."""
        if not self._spoken:
            return None
        try:
            return self._rows.question_clip(question)
        except InputError:
            return None

    @cached_property
    def used(self) -> tuple[StoredClip, ...]:
        """Every clip of the histories and questions, once."""
        placed = dict.fromkeys(
            place.session_id for history in self._rows.histories for place in history.placements
        )
        turns = (clip for name in placed for clip in self.turns(self._rows.sessions[name]))
        found = (*turns, *map(self.question, self._rows.asked.values()))
        return tuple({clip.sha256: clip for clip in found if clip is not None}.values())

    def link(self, site: Site) -> None:
        """Gives every rendition that can be listened to a name in the report, once. Its bytes are
        not read: ``voxmem verify`` does that.

        Raises:
            StoreError: The folder cannot be written.
        """
        for sha, target in self._wanted().items():
            path = self._rows.root.objects.path_or_none(sha)
            if path is not None:
                site.link(target, path)
                self._places[sha] = target

    def stay(self, store: str) -> None:
        """Has every rendition played from where the root has it.

        Args:
            store: The root, seen from the first page.
        """
        self._places = {sha: f"{store}/{object_name(sha)}" for sha in self._wanted()}

    def _wanted(self) -> dict[str, str]:
        return {sha: audio_path(clip, sha) for clip in self.used for _, sha in renditions(clip)}

    def played(self, clip: StoredClip | None) -> list[Played]:
        """Every rendition of a clip, the primary one first."""
        if clip is None:
            return []
        return [
            (name, self._places.get(sha), round(clip.seconds, 1)) for name, sha in renditions(clip)
        ]

    def _turn(self, session: Session, at: int) -> StoredClip | None:
        if not self._spoken:
            return None
        try:
            return self._rows.turn_clip(session, at)
        except InputError:
            return None


def renditions(clip: StoredClip) -> Iterator[tuple[str, str]]:
    """What one can listen to: a label and the SHA-256, the primary rendition first."""
    if not isinstance(clip, Clip):
        yield "as published", clip.sha256
        if clip.pair_sha256 is not None:
            yield "its pair", clip.pair_sha256
        return
    spec = clip.spec
    cued, sounding = spec.delivery != "neutral", spec.sound is not None
    if clip.pair_sha256 is None:
        yield "as spoken", clip.sha256
        return
    yield "as heard", clip.sha256
    if cued and sounding and clip.stem_sha256:
        yield f"{spec.delivery}, no {spec.sound}", clip.stem_sha256
    without = (["neutral delivery"] if cued else []) + ([f"no {spec.sound}"] if sounding else [])
    yield ", ".join(without), clip.pair_sha256


def audio_path(clip: StoredClip, sha: str) -> str:
    """Where a report keeps a rendition of a clip, relative to its first page."""
    container = clip.container.lower() if isinstance(clip, ImportedClip) else "flac"
    return f"audio/{sha}.{container}"
