"""Clips for calibration: as a studio makes them, kept in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from voxmem.quality.hearing.speakers import as_stored
from voxmem.quality.session.centroids import Centroids
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.engine import Audio
from voxmem.speech.mixing import with_edges
from voxmem.speech.studio import Studio
from voxmem.vocabulary import NEUTRAL

PLAIN = 3
"""So many neutral sentences come for each one with a delivery."""


class MemoryObjects:
    """Objects under their SHA-256, for as long as a clip is looked at."""

    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        sha = hashlib.sha256(data).hexdigest()
        self._bytes[sha] = data
        return sha

    def get(self, sha: str) -> bytes:
        return self._bytes[sha]


def speak(studio: Studio, spec: ClipSpec) -> Spoken:
    """The clip, spoken now."""
    objects = MemoryObjects()
    return Spoken(studio.speak(spec, objects), studio, objects, Centroids(studio.engine))


def with_file(spoken: Spoken, role: str, audio: Audio, **changed: object) -> Spoken:
    """The clip with another recording as its ``sha256``, ``stem_sha256`` or ``pair_sha256``."""
    assert isinstance(spoken.objects, MemoryObjects)
    sha = spoken.objects.put(flac_bytes(to_pcm(audio)))
    clip: Clip = spoken.clip.model_copy(update={role: sha, **changed})
    return replace(spoken, clip=clip)


def speech(studio: Studio, text: str, voice: str, delivery: str = NEUTRAL, seed: int = 0) -> Audio:
    """What a stem holds: 16 bits, with edges."""
    audio = studio.engine.render(text, voice, delivery, seed).audio
    return as_stored(with_edges(audio, studio.edge_seconds))


def turn_of(items: Sequence[str], number: int) -> str:
    """The items take turns."""
    return items[number % len(items)]


def delivery_of(studio: Studio, number: int) -> str:
    """Mostly neutral, and each delivery of the engine in turn: as a build has them."""
    if number % (PLAIN + 1) != PLAIN:
        return NEUTRAL
    cues = sorted(studio.engine.deliveries)
    return turn_of(cues, number // (PLAIN + 1)) if cues else NEUTRAL
