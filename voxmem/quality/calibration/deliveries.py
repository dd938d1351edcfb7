"""How well each delivery is told from the neutral rendition of the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from voxmem import keys
from voxmem.quality.calibration.curves import GOOD, curve, fixed
from voxmem.quality.calibration.measurement import Measured, trials
from voxmem.quality.calibration.records import Curve
from voxmem.quality.calibration.speaking import turn_of
from voxmem.quality.calibration.texts import Half, Sentence, sentence
from voxmem.quality.hearing.evidence import (
    BOUNDS,
    ON_PHRASE,
    REQUIRED,
    THRESHOLD,
    compare,
    delivery_evidence,
)
from voxmem.quality.hearing.prosody import measure
from voxmem.quality.session.spoken import RULE
from voxmem.speech.audio import to_float, to_pcm
from voxmem.speech.engine import SAMPLE_RATE, Audio, SpeechEngine
from voxmem.speech.studio import Studio
from voxmem.vocabulary import DELIVERIES, NEUTRAL

CHECK = "delivery"
NO_CUE = "no cue"
LEAST_CAUGHT, MOST_FALSE = 0.95, 0.02
"""What a delivery must reach to be in a palette: of cued renditions told from neutral, at least;
of neutral ones taken for it, at most."""

_TEMPO, _LEVEL_DB = 0.02, 0.8


@dataclass(frozen=True)
class Deliveries:
    """``delivery``, under each delivery: cued renditions against the neutral ones of the same
    takes; and other neutral takes against these, also of another tempo, F0 and level, as good
    speech varies."""

    name: str = "deliveries"
    judge: str = f"{RULE} (bounds {BOUNDS})"
    sentences: int = 100

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        engine, said = studio.engine, sentence(half, number)
        voice = turn_of(engine.voices, number)
        seed = keys.seed("calibrated delivery", half, number)
        plain, other = renditions_without_cue(engine, said.text, voice, seed)
        before, without = measure(plain), measure(other)
        for delivery in rendered(engine):
            cued = _kept(engine.render(said.text, voice, delivery, seed).audio)
            for fault, after in ((GOOD, measure(cued)), (NO_CUE, without)):
                value = compare(before, after, delivery).value
                yield _row(delivery, half, number, fault, value)
            if DELIVERIES[delivery] == "emphasis":
                yield from _on_phrase(engine, said, voice, seed, half, number)

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        for condition in dict.fromkeys(row.condition for row in rows):
            yield curve(
                CHECK, trials(rows, CHECK, condition), fixed(THRESHOLD),
                judge=self.judge, described="every change as large as it must be",
                condition=condition, is_fixed=True,
            )  # fmt: skip


def rendered(engine: SpeechEngine) -> list[str]:
    """The engine's deliveries that are measured against a neutral rendition."""
    return [name for name in DELIVERIES if name in engine.deliveries and name in REQUIRED]


def reaches(curve: Curve) -> bool:
    """Whether the delivery may be in a palette."""
    return curve.false_rejects <= 1 - LEAST_CAUGHT and curve.false_accepts <= MOST_FALSE


def renditions_without_cue(
    engine: SpeechEngine, text: str, voice: str, seed: int
) -> tuple[Audio, Audio]:
    """A neutral take, and another one: of another seed, up to 2 % slower and lower or faster and
    higher, up to 0.8 dB louder or softer."""
    import soxr

    rng = keys.rng("another take", text, voice, seed)
    other = engine.render(text, voice, NEUTRAL, rng.getrandbits(31)).audio
    tempo, level = rng.uniform(-_TEMPO, _TEMPO), rng.uniform(-_LEVEL_DB, _LEVEL_DB)
    moved = soxr.resample(other, SAMPLE_RATE, SAMPLE_RATE / (1 + tempo))
    return (
        _kept(engine.render(text, voice, NEUTRAL, seed).audio),
        _kept(np.asarray(moved * 10 ** (level / 20), dtype=np.float32)),
    )


def _on_phrase(
    engine: SpeechEngine, said: Sentence, voice: str, seed: int, half: Half, number: int
) -> Iterator[Measured]:
    """An emphasis on the fact's value, and another neutral take in its place."""
    cued, plain = engine.render_pair(said.text, voice, "emphatic", seed, said.span)
    _, other = renditions_without_cue(engine, said.text, voice, seed)
    phrase = engine.locate(said.text, voice, said.span, seed)
    for fault, audio in ((GOOD, _kept(cued.audio)), (NO_CUE, other)):
        value = delivery_evidence(_kept(plain.audio), audio, "emphatic", phrase).value
        yield _row(ON_PHRASE, half, number, fault, value)


def _kept(audio: Audio) -> Audio:
    """As it is stored: 16 bits."""
    return to_float(to_pcm(audio * min(1.0, 0.98 / float(np.abs(audio).max()))))


def _row(condition: str, half: Half, number: int, fault: str, value: float) -> Measured:
    return Measured(
        check=CHECK, condition=condition, half=half, number=number, fault=fault,
        value=float(np.clip(value, -9, 9)),
    )  # fmt: skip
