"""Whether the voice is the persona's, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.speakers import (
    POOLED_SECONDS,
    Embedding,
    joined,
    likeness,
    spoken_seconds,
)
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.vocabulary import NEUTRAL

SHORT = "short"
"""The condition of speech that stays under three seconds with all of its session."""
SAME_VOICE = 0.97
"""Cosine of two centroids from which they are of one voice."""


def check_speaker(session: Sequence[Spoken]) -> Iterator[Check]:
    """``speaker``: the cosine to the voice's centroid, on the clip and as many others of the same
    voice in the session as make three seconds. ``other speaker``: by how much that centroid is
    nearer than any other voice's."""
    for spoken in session:
        pool = _pool(spoken, session)
        voice = spoken.clip.spec.voice
        embedding = listen.voice_embedding(joined([one.stem for one in pool]))
        found = likeness(embedding, voice, spoken.centroids)
        seconds = sum(spoken_seconds(one.stem) for one in pool)
        conditions = [one.clip.spec.delivery for one in pool]
        conditions += [SHORT] if seconds < POOLED_SECONDS else []
        least = min(threshold("speaker", condition) for condition in conditions)
        judge, note = judged_by(listen.SPEAKER_MODEL), f"{len(pool)} clips, {seconds:.1f} s"
        yield spoken.row("speaker", found.own >= least, found.own, least, judge, note)
        lead = min(threshold("other speaker", condition) for condition in conditions)
        note += f"; nearest other voice {found.nearest_other}"
        one = _are_one(voice, found.nearest_other, spoken.centroids)
        yield spoken.row(
            "other speaker", found.lead >= lead and not one, found.lead, lead, judge,
            f"{note}, which is the same voice" if one else note,
        )  # fmt: skip


def condition_of(seconds: float) -> str:
    """Of plain speech."""
    return SHORT if seconds < POOLED_SECONDS else NEUTRAL


def _are_one(voice: str, other: str, centroids: Mapping[str, Embedding]) -> bool:
    """Whether an engine speaks for both with one voice."""
    return bool(other) and float(centroids[voice] @ centroids[other]) >= SAME_VOICE


def _pool(spoken: Spoken, session: Sequence[Spoken]) -> list[Spoken]:
    """The clip first, then others of its voice, until there is enough speech."""
    pool, seconds = [spoken], spoken_seconds(spoken.stem)
    for other in session:
        if seconds >= POOLED_SECONDS:
            break
        if other is not spoken and other.clip.spec.voice == spoken.clip.spec.voice:
            pool.append(other)
            seconds += spoken_seconds(other.stem)
    return pool
