"""The clips of a report: which it needs, and how they get into its folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxmem.analyze.report.site import Site
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import Clip
from voxmem.speech.clips import question_spec, spec_of


def used_clips(rows: ReleaseRows) -> list[Clip]:
    """Every clip of the histories and questions, once.

    Raises:
        InputError: The release lacks one.
    """
    placed = dict.fromkeys(
        place.session_id for history in rows.histories for place in history.placements
    )
    turns = (turn for name in placed for turn in rows.sessions[name].user_turns)
    specs = (*map(spec_of, turns), *map(question_spec, rows.questions.values()))
    return list({clip.clip_id: clip for clip in map(rows.clip, specs)}.values())


def renditions(clip: Clip) -> Iterator[tuple[str, str]]:
    """What one can listen to: a label and the SHA-256, the primary rendition first."""
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


def audio_path(sha: str) -> str:
    """Where a report keeps a rendition, relative to its first page."""
    return f"audio/{sha}.flac"


def link_clips(site: Site, rows: ReleaseRows) -> None:
    """Brings every rendition that can be listened to into the report, once.

    Raises:
        InputError: An object of the release is missing or damaged.
        StoreError: The folder cannot be written.
    """
    for sha in _objects(used_clips(rows)):
        data = rows.root.objects.get(sha)  # verified: a damaged clip is not published
        path = rows.root.objects.path_or_none(sha)
        if path is not None:
            site.link(audio_path(sha), path)
        else:
            site.write(audio_path(sha), data)


def _objects(clips: Iterable[Clip]) -> list[str]:
    return list(dict.fromkeys(sha for clip in clips for _, sha in renditions(clip)))
