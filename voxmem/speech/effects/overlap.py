"""Somebody else talking at the same time (``overlap:-12``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from voxmem import keys
from voxmem.speech.effects.effect import Effect, Scene, number, wrong
from voxmem.speech.engine import Audio
from voxmem.speech.levels import NOMINAL_DB, active_level_db, speech_bounds

TALK = (
    "We could take the early bus and walk the last part along the river.",
    "They said that the parcel would come before noon, but nobody rang.",
    "I put the ladder back behind the shed where it has always been.",
    "The bakery around the corner has new opening hours since last month.",
    "Somebody left a blue bicycle in front of the library again.",
)
"""What others say: nothing that a history asks for."""


@dataclass(frozen=True)
class Overlap:
    """Another of the engine's voices under all of the speech, at ``level`` dB against the nominal
    level of neutral speech, so that it is the same behind a clip and behind its pair."""

    level: float
    place: Literal["speech"] = "speech"

    @property
    def applied(self) -> str:
        return f"overlap {self.level:g} dB"

    def __call__(self, audio: Audio, scene: Scene) -> Audio:
        start, end = speech_bounds(audio)
        rng = keys.rng("overlap", scene.seed)
        others = [voice for voice in scene.engine.voices if voice != scene.spec.voice]
        if not others:
            raise wrong("overlap needs a second voice", "take an engine with more voices")
        voice, at, talk = rng.choice(others), rng.randrange(len(TALK)), [np.zeros(0, np.float32)]
        while sum(map(len, talk)) < end - start:
            said = scene.engine.render(TALK[at % len(TALK)], voice, seed=scene.seed).audio
            talk.append(said[slice(*speech_bounds(said))])
            at += 1
        under = np.concatenate(talk)[: end - start]
        gain = 10 ** ((NOMINAL_DB + self.level - active_level_db(np.concatenate(talk))) / 20)
        out = audio.copy()
        out[start:end] += np.float32(gain) * under
        return out


def open_overlap(argument: str) -> Effect:
    """``overlap:-12``: another talker 12 dB softer.

    Raises:
        UsageError: It is no number from -40 to 10.
    """
    return Overlap(number("overlap", argument, -40, 10))
