"""Whose voice it is: embeddings against the centroids of an engine's voices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.hearing import listen
from voxmem.speech.audio import to_float, to_pcm
from voxmem.speech.engine import SAMPLE_RATE, Audio, SpeechEngine
from voxmem.speech.levels import speech_bounds
from voxmem.speech.mixing import PEAK

Embedding = NDArray[np.float32]
"""Shape [192], length 1."""

POOLED_SECONDS = 3.0
"""Speech that an embedding wants to be of."""
_GAP = SAMPLE_RATE // 10

TEXTS = (
    "The old boat was painted blue and white, and it left the harbour before noon.",
    "We planted seven young trees behind the school, one for every class.",
    "If the shop is closed, leave the parcel with the neighbour on the ground floor.",
    "My brother found an old map of the valley under the floor of his garden shed.",
)
"""What centroids are of: no sentence of any build."""


class Likeness(NamedTuple):
    """How like the voices of an engine some speech is; cosines."""

    own: float
    """To the centroid of the voice that it should be."""
    other: float
    """To the likest other centroid; -1 if there is none."""
    nearest_other: str
    """The voice of that other centroid."""

    @property
    def lead(self) -> float:
        """By how much its own centroid is the nearest; below 0 if another is nearer."""
        return self.own - self.other


def centroid(speech: Iterable[Audio]) -> Embedding:
    """The mean direction of the embeddings of several recordings."""
    mean = np.mean([listen.voice_embedding(audio) for audio in speech], axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def rendered_centroid(engine: SpeechEngine, voice: str) -> Embedding:
    """The centroid of a voice as its engine speaks it.

    Raises:
        MissingExtra: The speaker model is not installed.
        UsageError: The engine has no such voice.
        SpeechError: The engine failed.
    """
    return centroid(as_stored(engine.render(text, voice).audio) for text in TEXTS)


def as_stored(audio: Audio) -> Audio:
    """Speech as clips hold it: of 16 bits, and lowered if it would not fit."""
    peak = float(np.abs(audio).max())
    return to_float(to_pcm(audio if peak <= PEAK else audio * np.float32(PEAK / peak)))


def likeness(embedding: Embedding, voice: str, centroids: Mapping[str, Embedding]) -> Likeness:
    """How like the named voice, and the likest other, an embedding is."""
    others = [name for name in centroids if name != voice]
    cosines = [float(embedding @ centroids[name]) for name in others]
    at = int(np.argmax(cosines)) if cosines else -1
    own = float(embedding @ centroids[voice])
    return Likeness(own, cosines[at] if cosines else -1.0, others[at] if cosines else "")


def spoken_seconds(audio: Audio) -> float:
    """From the first to the last sound."""
    start, end = speech_bounds(audio)
    return (end - start) / SAMPLE_RATE


def joined(speech: Sequence[Audio]) -> Audio:
    """Recordings of one voice one after the other, without their silent ends."""
    pieces: list[Audio] = []
    for audio in speech:
        start, end = speech_bounds(audio)
        pieces += [audio[start:end], np.zeros(_GAP, np.float32)]
    return np.concatenate(pieces[:-1])
