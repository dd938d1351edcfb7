"""A telephone line: 300 to 3,400 Hz, 8 kHz, µ-law (ITU-T G.711)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from voxmem.speech.effects.codec import coded
from voxmem.speech.effects.effect import Effect, Scene, wrong
from voxmem.speech.engine import SAMPLE_RATE, Audio

BAND = (300.0, 3400.0)
"""Hz; beyond it the line falls by 24 dB an octave."""


@dataclass(frozen=True)
class Telephone:
    """Band-pass, then G.711."""

    applied: str = "telephone (300 to 3400 Hz, mu-law)"
    place: Literal["channel"] = "channel"

    def __call__(self, audio: Audio, scene: Scene) -> Audio:
        return coded(np.asarray(sosfilt(_band(), audio), dtype=np.float32), "ulaw")


def open_telephone(argument: str) -> Effect:
    """The line, which takes nothing after a colon."""
    if argument:
        raise wrong(f"telephone takes nothing, not {argument!r}", "say telephone")
    return Telephone()


@cache
def _band() -> NDArray[np.float64]:
    return np.asarray(butter(4, BAND, "bandpass", fs=SAMPLE_RATE, output="sos"))
