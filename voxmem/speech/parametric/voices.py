"""The personas' voices: a committed table of parameters, chosen far apart.

The choice is made, and can be made again, by ``python -m voxmem.quality.voices.choose``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
from pydantic import Field

from voxmem.errors import UsageError
from voxmem.records import Record
from voxmem.speech.parametric.frames import Array, bin_frequencies

KNOTS = 10
"""Points of a voice's spectral envelope, evenly spaced on the mel scale up to 12 kHz."""


class Voice(Record):
    """What makes a voice out of the one the network knows."""

    voice_id: str
    pitch_register: Literal["lower", "higher"]
    formant: float
    """Stretch of the frequency axis; above 1 is a shorter vocal tract."""
    pitch: float
    """Factor of F0."""
    span: float
    """Factor of the F0 range, in log Hz."""
    envelope: tuple[float, ...] = Field(min_length=KNOTS, max_length=KNOTS)
    """Nepers at the knots."""
    breath: float
    """Breath noise against the harmonics' envelope, nepers."""
    rate: float
    """Factor of the speaking rate."""
    gain_db: float = 0.0
    """The one gain of the voice, which brings its neutral speech to the nominal level."""


def envelope_nepers(voice: Voice) -> Array:
    """The voice's envelope at every bin, [601]."""
    mel = _mel(bin_frequencies())
    knots = np.linspace(0.0, float(mel[-1]), KNOTS)
    return np.asarray(np.interp(mel, knots, voice.envelope), dtype=np.float32)


def _mel(hertz: Array) -> Array:
    return np.asarray(1127.0 * np.log1p(hertz / 700.0), dtype=np.float32)


@cache
def voice_table() -> dict[str, Voice]:
    """Voice id → voice, in the order of ``vocabulary.PERSONAS``."""
    rows = json.loads(files("voxmem.speech.parametric").joinpath("voices.json").read_text("utf-8"))
    return {row["voice_id"]: Voice.model_validate(row) for row in rows["voices"]}


def get_voice(voice_id: str) -> Voice:
    """The voice of that id.

    Raises:
        UsageError: There is none.
    """
    table = voice_table()
    if voice_id not in table:
        raise UsageError(
            f"there is no voice {voice_id!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(table)}",
        )
    return table[voice_id]
