"""The centroids of an engine's voices: committed for the embedded engine, else rendered once."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from threading import Lock

import numpy as np

from voxmem.quality.hearing.listen import SPEAKER_MODEL
from voxmem.quality.hearing.speakers import Embedding, rendered_centroid
from voxmem.records import Record
from voxmem.speech.engine import SpeechEngine

FILE = "centroids.json"


class VoiceCentroid(Record):
    """The centroid of one voice, as it is kept."""

    engine: str
    """Name and revision."""
    voice: str
    revision: str
    """Of the voice."""
    judge: str
    embedding: str
    """float16 [192], little-endian, base64."""

    def is_of(self, engine: SpeechEngine) -> bool:
        """Whether the engine still speaks this voice as it did, and the same model listens."""
        return (
            (self.engine, self.judge) == (f"{engine.name} {engine.revision}", SPEAKER_MODEL)
            and self.voice in engine.voices
            and self.revision == engine.voice_revision(self.voice)
        )

    def unpacked(self) -> Embedding:
        row = np.frombuffer(base64.b64decode(self.embedding), "<f2").astype(np.float32)
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def kept(engine: SpeechEngine, voice: str, centroid: Embedding) -> VoiceCentroid:
    """A centroid in the form in which it is kept."""
    return VoiceCentroid(
        engine=f"{engine.name} {engine.revision}",
        voice=voice,
        revision=engine.voice_revision(voice),
        judge=SPEAKER_MODEL,
        embedding=base64.b64encode(centroid.astype("<f2").tobytes()).decode(),
    )


class Centroids(Mapping[str, Embedding]):
    """Voice → centroid. What is not kept with the package is rendered when it is first asked for,
    and known from then on."""

    def __init__(self, engine: SpeechEngine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._known = {row.voice: row.unpacked() for row in _committed() if row.is_of(engine)}

    def __getitem__(self, voice: str) -> Embedding:
        with self._lock:
            if voice not in self._known:
                self._known[voice] = rendered_centroid(self._engine, voice)
            return self._known[voice]

    def __iter__(self) -> Iterator[str]:
        return iter(self._engine.voices)

    def __len__(self) -> int:
        return len(self._engine.voices)


@cache
def _committed() -> tuple[VoiceCentroid, ...]:
    rows = json.loads(files("voxmem.quality.calibration").joinpath(FILE).read_text("utf-8"))
    return tuple(VoiceCentroid.model_validate(row) for row in rows)
