"""Where a turn is stressed, told without another rendition: the stretch that stands out most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.hearing.prosody import f0_blocks
from voxmem.speech.engine import Audio
from voxmem.speech.levels import block_power, speech_bounds

Wave = NDArray[np.float64]

_LENGTHS = (30, 50, 80, 120)
"""Blocks of 10 ms that a stressed stretch may have."""
_STEP = 3
_ACTIVE_DB = 25.0
_VOICED = 0.3
_FEWEST = 8
_OCTAVE = 6.0
"""Semitones beyond which a change of F0 is a slip of the tracker."""
_SEMITONE = 2.0
"""Decibels that a semitone weighs as much as."""


class Stress(NamedTuple):
    """How far the most stressed stretch stands out from the rest of its turn."""

    level_db: float
    semitones: float


NONE = Stress(0.0, 0.0)


def stress(audio: Audio) -> Stress:
    """Of 24 kHz speech, the stretch of 0.3 to 1.2 s that is loudest and highest against the rest.

    Raises:
        InputError: The audio is silent or shorter than 10 ms.
    """
    speech = audio[slice(*speech_bounds(audio, gate_db=38.0))]
    power = block_power(speech)
    active = power >= power.max() * 10 ** (-_ACTIVE_DB / 10)
    semitones = _semitones(speech, power.size)
    starts = [
        (at, at + length)
        for length in _LENGTHS
        for at in range(0, power.size - length + 1, _STEP)
        if length <= power.size / 2
    ]
    found = (_against_rest(power, active, semitones, *span) for span in starts)
    return max((it for it in found if it is not None), key=_weight, default=NONE)


def _weight(it: Stress) -> float:
    return it.level_db + _SEMITONE * it.semitones


def _semitones(speech: Audio, blocks: int) -> Wave:
    """F0 over 1 Hz of each block; NaN where unvoiced."""
    places, hertz, score = f0_blocks(speech)
    sure = (score >= _VOICED) & (places < blocks)
    out = np.full(blocks, np.nan)
    out[places[sure]] = 12 * np.log2(hertz[sure])
    return out


def _against_rest(
    power: Wave, active: NDArray[np.bool_], semitones: Wave, start: int, end: int
) -> Stress | None:
    inside = np.zeros(power.size, dtype=bool)
    inside[start:end] = True
    here, rest = inside & active, ~inside & active
    if here.sum() < _FEWEST or rest.sum() < _FEWEST:
        return None
    level = 10 * np.log10(power[here].mean() / power[rest].mean())
    pitch = semitones[inside][~np.isnan(semitones[inside])]
    other = semitones[~inside][~np.isnan(semitones[~inside])]
    if pitch.size < _FEWEST or other.size < _FEWEST:
        return Stress(float(level), 0.0)
    return Stress(
        float(level), float(np.clip(np.median(pitch) - np.median(other), -_OCTAVE, _OCTAVE))
    )
