"""Gain by the frame, and peaks held down for as long as they last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.mixing import PEAK
from voxmem.speech.parametric.frames import FRAME_SECONDS

FRAME = round(FRAME_SECONDS * SAMPLE_RATE)
"""Samples of a frame; renditions are whole frames long."""


def with_gain(audio: Audio, change_db: NDArray[np.float64]) -> Audio:
    """The audio louder by ``change_db`` [frames] in the middle of each frame."""
    middles = (np.arange(change_db.size) + 0.5) * FRAME
    gain = 10 ** (np.interp(np.arange(audio.size), middles, change_db) / 20)
    return np.asarray(audio * gain, dtype=np.float32)


def over(audio: Audio) -> NDArray[np.float64]:
    """By how many decibels each frame, or one next to it, exceeds the peak of clips."""
    peaks = np.pad(np.abs(audio.reshape(-1, FRAME)).max(axis=1), 1).astype(np.float64)
    near = np.maximum(np.maximum(peaks[:-2], peaks[2:]), peaks[1:-1])
    return np.asarray(20 * np.log10(np.maximum(near, PEAK) / PEAK))


def limited(audio: Audio) -> Audio:
    """The audio within the peak of clips. A burst that does not fit into 16 bits would lower the
    whole of its clip, and with it a cue that is one of level."""
    if max(float(audio.max()), -float(audio.min())) <= PEAK:
        return audio
    return with_gain(audio, -over(audio))
