"""The active speech level: how loud somebody speaks while speaking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError
from voxmem.speech.engine import SAMPLE_RATE, Audio

BLOCK = SAMPLE_RATE // 100
"""Samples of a 10 ms block."""
GATE_DB = 30.0
"""A block is active if its mean power is within this many decibels of the loudest block's."""
NOMINAL_DB = -26.0
"""Active level of neutral speech, dB against full scale (the customary -26 dBov of ITU-T P.56)."""


def block_power(audio: Audio) -> NDArray[np.float64]:
    """Mean power of each whole 10 ms block, [samples // 240]."""
    whole = audio[: audio.shape[0] // BLOCK * BLOCK].reshape(-1, BLOCK)
    return np.asarray(np.einsum("ij,ij->i", whole, whole, dtype=np.float64) / BLOCK)


def active_power(audio: Audio) -> float:
    """The mean power over the active blocks.

    The audio is cut into consecutive blocks of 10 ms from its first sample (a shorter rest is left
    out); a block is active if its mean power is at most 30 dB below that of the loudest block. It
    is P.56 in spirit, without its envelope and hangover, at a hundredth of the cost.

    Raises:
        InputError: The audio is shorter than a block, or silent.
    """
    power = block_power(audio)
    if power.size == 0 or power.max() <= 0.0:
        raise InputError("the audio is silent or shorter than 10 ms", stage="speak")
    return float(power[power >= power.max() * 10 ** (-GATE_DB / 10)].mean())


def active_level_db(audio: Audio) -> float:
    """:func:`active_power` in dB against full scale (a full-scale sine is -3.01).

    Raises:
        InputError: The audio is shorter than a block, or silent.
    """
    return float(10 * np.log10(active_power(audio)))


def rms(audio: Audio) -> float:
    """Root mean square over all samples."""
    return float(np.sqrt(np.mean(np.square(audio, dtype=np.float64)))) if audio.size else 0.0


def speech_bounds(audio: Audio, gate_db: float = 45.0, margin: int = 2) -> tuple[int, int]:
    """Samples [start, end) from the first to the last block within ``gate_db`` of the loudest,
    with ``margin`` blocks more at each side where there are any.

    Raises:
        InputError: The audio is shorter than a block, or silent.
    """
    power = block_power(audio)
    if power.size == 0 or power.max() <= 0.0:
        raise InputError("the audio is silent or shorter than 10 ms", stage="speak")
    audible = np.flatnonzero(power >= power.max() * 10 ** (-gate_db / 10))
    start = max(int(audible[0]) - margin, 0) * BLOCK
    end = min((int(audible[-1]) + 1 + margin) * BLOCK, audio.shape[0])
    return start, end
