"""How well another voice is caught, and the centroids that voices are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from voxmem import keys
from voxmem.quality.calibration.curves import (
    GOOD,
    at_most_rejected,
    below_mean,
    curve,
)
from voxmem.quality.calibration.measurement import Measured, trials
from voxmem.quality.calibration.records import ALL, Curve
from voxmem.quality.calibration.speaking import speech, turn_of
from voxmem.quality.calibration.texts import Half, sentence
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.speakers import POOLED_SECONDS, Embedding, likeness
from voxmem.quality.session.centroids import Centroids
from voxmem.quality.session.checks.speaker import SHORT
from voxmem.speech.engine import SAMPLE_RATE, Audio, SpeechEngine
from voxmem.speech.levels import speech_bounds
from voxmem.speech.studio import Studio
from voxmem.vocabulary import NEUTRAL

NEAREST, ANY = "the likest other voice", "another voice"
_SHORT_SECONDS = 1.5
_SECOND = 10_000
"""How far off the second sentence is: no clip of three seconds has too little speech."""


@dataclass(frozen=True)
class Speakers:
    """``speaker`` and ``other speaker``: one clip of three seconds, or half of it, against
    centroids."""

    name: str = "speaker"
    judge: str = listen.SPEAKER_MODEL
    sentences: int = 210
    _open: dict[str, Centroids] = field(default_factory=dict)

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        """Two sentences, plainly and in a delivery: of a voice and a delivery in turn, so that
        every voice meets every delivery."""
        voices, cues = studio.engine.voices, sorted(studio.engine.deliveries)
        voice, cue = turn_of(voices, number), turn_of(cues, number + number // len(voices))
        text = " ".join(sentence(half, it).text for it in (number, number + _SECOND))
        seed = keys.seed("calibration", half, number)
        at, known = _Place(half, number), self._centroids(studio.engine)
        plain = speech(studio, text, voice, NEUTRAL, seed)
        neutral = _embedded(plain, POOLED_SECONDS)
        cued = _embedded(speech(studio, text, voice, cue, seed), POOLED_SECONDS)
        yield from _against(known, at, voice, neutral, NEUTRAL)
        yield from _against(known, at, voice, _embedded(plain, _SHORT_SECONDS), SHORT)
        yield from _against(known, at, voice, cued, cue)

    def _centroids(self, engine: SpeechEngine) -> Centroids:
        name = f"{engine.name} {engine.revision}"
        if name not in self._open:
            self._open[name] = Centroids(engine)
        return self._open[name]

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        conditions = dict.fromkeys(row.condition for row in rows)
        cues = [it for it in conditions if it not in (NEUTRAL, SHORT)]
        for condition in (NEUTRAL, SHORT, *cues):
            yield curve(
                "speaker", trials(rows, "speaker", condition), below_mean(2.5),
                described="2.5 deviations below the mean", condition=condition, judge=self.judge,
            )  # fmt: skip
        yield curve(
            "speaker", trials(rows, "speaker", NEUTRAL, *cues), below_mean(2.5),
            described="2.5 deviations below the mean", judge=self.judge,
        )  # fmt: skip
        for condition, rows_of in ((NEUTRAL, (NEUTRAL,)), (SHORT, (SHORT,)), (ALL, tuple(cues))):
            yield curve(
                "other speaker", trials(rows, "other speaker", *rows_of), at_most_rejected(0.01),
                described="1 % false rejects", condition=condition, judge=self.judge,
            )  # fmt: skip


class _Place(NamedTuple):
    half: Half
    number: int

    def measured(self, check: str, condition: str, fault: str, value: float) -> Measured:
        return Measured(
            check=check, condition=condition, half=self.half, number=self.number,
            fault=fault, value=value,
        )  # fmt: skip


def _against(
    known: Mapping[str, Embedding], at: _Place, voice: str, embedding: Embedding, condition: str
) -> Iterator[Measured]:
    """The embedding as what it is, and as if it should have been another voice: any, and the one
    that it is likest to."""
    own = likeness(embedding, voice, known)
    others = [name for name in known if name != voice]
    stranger = keys.rng("impostor", at.half, at.number, condition).choice(others)
    for fault, claimed in ((GOOD, voice), (ANY, stranger), (NEAREST, own.nearest_other)):
        found = likeness(embedding, claimed, known)
        if fault != NEAREST:
            yield at.measured("speaker", condition, fault, found.own)
        yield at.measured("other speaker", condition, fault, found.lead)


def _embedded(audio: Audio, seconds: float) -> Embedding:
    """The embedding of at most so much speech."""
    start, end = speech_bounds(audio)
    return listen.voice_embedding(audio[start : min(end, start + round(seconds * SAMPLE_RATE))])
