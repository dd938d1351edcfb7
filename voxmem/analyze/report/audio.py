"""The clips of a report: which it needs, and how they get into its folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxmem.analyze.report.site import Site
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import Clip, ImportedClip, StoredClip


def used_clips(rows: ReleaseRows) -> list[StoredClip]:
    """Every clip of the histories and questions, once.

    Raises:
        InputError: The release lacks one.
    """
    placed = dict.fromkeys(
        place.session_id for history in rows.histories for place in history.placements
    )
    turns = (
        rows.turn_clip(rows.sessions[name], at)
        for name in placed
        for at in range(len(rows.sessions[name].user_turns))
    )
    found = (*turns, *map(rows.question_clip, rows.asked.values()))
    return list({clip.sha256: clip for clip in found}.values())


def renditions(clip: StoredClip) -> Iterator[tuple[str, str]]:
    """What one can listen to: a label and the SHA-256, the primary rendition first."""
    if not isinstance(clip, Clip):
        yield "as published", clip.sha256
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


def link_clips(site: Site, rows: ReleaseRows) -> None:
    """Brings every rendition that can be listened to into the report, once.

    Raises:
        InputError: An object of the release is missing or damaged.
        StoreError: The folder cannot be written.
    """
    for sha, target in _objects(used_clips(rows)).items():
        data = rows.root.objects.get(sha)  # verified: a damaged clip is not published
        path = rows.root.objects.path_or_none(sha)
        if path is not None:
            site.link(target, path)
        else:
            site.write(target, data)


def _objects(clips: Iterable[StoredClip]) -> dict[str, str]:
    """SHA-256 → where it is kept in the report."""
    return {sha: audio_path(clip, sha) for clip in clips for _, sha in renditions(clip)}
