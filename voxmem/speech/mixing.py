"""A sound behind speech: added at a set ratio, never clipped, and always separable again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voxmem.errors import InputError
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.levels import active_power, speech_bounds

SNR_DB = 10.0
"""Speech over sound (VoxMem, Appendix C.2)."""
EDGE_SECONDS = 0.3
"""Before the first and after the last word of every clip. Where there is a sound it is heard alone
here, which is what makes it nameable; every other clip has silence of the same length, so that the
edges tell nothing about a turn but its sound."""
PEAK = 0.98
"""The largest absolute sample of a mix."""
_FADE = SAMPLE_RATE // 50  # 20 ms, so that a sound does not begin or end with a click


@dataclass(frozen=True)
class Mix:
    """``mix == gain * (stem + sound_scaled)``, all of shape [samples]."""

    mix: Audio
    stem: Audio
    """The clean speech, before the gain."""
    sound_scaled: Audio
    """The sound at the set ratio, before the gain."""
    gain: float
    """One factor for both, 1 unless the sum would clip."""
    snr_db: float
    """Measured on what is returned: active level of the stem over RMS of the sound."""


def with_edges(speech: Audio, seconds: float = EDGE_SECONDS) -> Audio:
    """The speech without its own silences at the ends, and with edges of exactly that length.

    Raises:
        InputError: The speech is silent.
    """
    start, end = speech_bounds(speech)
    edge = round(seconds * SAMPLE_RATE)
    return np.pad(speech[start:end], edge).astype(np.float32, copy=False)


def mix(speech: Audio, sound: Audio, snr_db: float = SNR_DB) -> Mix:
    """``sound`` under all of ``speech``, ``snr_db`` below its active level.

    The ratio is the power of the speech over its active blocks (:func:`levels.active_power`) to
    the power of the sound over the whole clip, edges included.

    Raises:
        InputError: The lengths differ, or either is silent.
    """
    if speech.shape != sound.shape or speech.ndim != 1:
        raise InputError(f"speech {speech.shape} and sound {sound.shape} differ in length")
    scaled = _faded(sound)
    heard = _power(scaled)
    if heard <= 0.0:
        raise InputError("the sound is silent", stage="speak")
    power = active_power(speech)
    scaled *= np.float32(np.sqrt(power / heard) / 10 ** (snr_db / 20))
    total = speech + scaled
    peak = max(float(total.max()), -float(total.min()))
    gain = float(np.float32(min(1.0, PEAK / peak)))
    if gain < 1.0:
        total *= np.float32(gain)
    measured = 10 * np.log10(power / _power(scaled))
    return Mix(total, speech, scaled, gain, float(measured))


def _faded(sound: Audio) -> Audio:
    ramp = np.linspace(0.0, 1.0, min(_FADE, sound.shape[0] // 2), dtype=np.float32)
    out = sound.astype(np.float32, copy=True)
    if ramp.size:
        out[: ramp.size] *= ramp
        out[-ramp.size :] *= ramp[::-1]
    return out


def _power(audio: Audio) -> float:
    """The mean power, in single precision: to a millionth or so."""
    return float(np.dot(audio, audio)) / max(1, audio.size)
