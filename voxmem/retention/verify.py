"""Whether a release is still what it was, and what is lost where it is not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import Clip, Record, StoredClip
from voxmem.store.release import Release, examine
from voxmem.store.root import Root


class Verified(Record):
    """What was found of one release."""

    release: str
    objects: int
    size: int
    """Bytes of its intact objects."""
    problems: tuple[str, ...]
    """A line each: what is damaged, what it is part of, and what to do."""

    def __str__(self) -> str:
        if self.problems:
            return "\n".join(self.problems)
        size = f"{self.size / 1e6:,.1f} MB"
        return f"{self.release}: {self.objects:,} objects, {size}, all intact"


def verified(
    root: Root, release: Release, heard: Callable[[int, int], None] = lambda done, total: None
) -> Verified:
    """Re-hashes a release; of what is damaged it says which turns and questions have it.

    Args:
        heard: Called with how many objects were read, and of how many.
    """
    found = examine(root, release, heard)
    lines = dict(found.damaged)
    if lines:
        for sha, places in _places(ReleaseRows(root, release), lines).items():
            shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" * (len(places) > 3))
            lines[sha] = f"{shown}: {lines[sha]}"
    return Verified(
        release=release.release_id,
        objects=release.objects,
        size=found.size,
        problems=(*found.problems, *lines.values()),
    )


def _places(rows: ReleaseRows, shas: Collection[str]) -> dict[str, list[str]]:
    """SHA-256 → what is spoken with it. Where tables are damaged too, nothing is known."""
    found: dict[str, list[str]] = {}
    try:
        for place, clip in _spoken(rows):
            for name, sha in _renditions(clip):
                if sha in shas:
                    found.setdefault(sha, []).append(f"{name} of {place}")
    except (InputError, KeyError):
        return {}
    return found


def _spoken(rows: ReleaseRows) -> Iterator[tuple[str, StoredClip]]:
    placed = {place.session_id for history in rows.histories for place in history.placements}
    for name in sorted(placed):
        session = rows.sessions[name]
        for at in range(len(session.user_turns)):
            yield f"session {name}, user turn {at + 1}", rows.turn_clip(session, at)
    for question in rows.asked.values():
        yield f"question {question.question_id}", rows.question_clip(question)


def _renditions(clip: StoredClip) -> Iterator[tuple[str, str]]:
    yield "the clip", clip.sha256
    if clip.pair_sha256:
        yield "the pair", clip.pair_sha256
    if isinstance(clip, Clip) and clip.stem_sha256:
        yield "the stem", clip.stem_sha256
