"""What a rendition changes in a phrase, and what elsewhere, against another of the same words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError
from voxmem.quality.hearing.prosody import f0_blocks
from voxmem.quality.hearing.warping import counterparts
from voxmem.speech.engine import Audio
from voxmem.speech.levels import BLOCK, block_power, speech_bounds

Wave = NDArray[np.float64]

_SMOOTHING = np.hanning(11)[1:-1]  # levels over some 50 ms, whatever the pitch period
_AUDIBLE_DB = 30.0  # below the loudest moment, of all or of the phrase
_CORE_DB = 15.0
_VOICED = 0.2
_RAMP = 4  # blocks at either end of a phrase in which a stress may still set in
_NEIGHBOURS = 30  # blocks before and after a phrase that say where it begins and ends
_FEWEST = 3


@dataclass(frozen=True)
class PhraseChanges:
    """Medians over the moments of either; NaN where there is nothing to compare."""

    level_db: float
    semitones: float
    """The upper quartile: what is hardly voiced shows no change of F0."""
    duration: float
    """Ratio less 1."""
    level_db_elsewhere: float
    semitones_elsewhere: float
    duration_elsewhere: float


def phrase_changes(neutral: Audio, cued: Audio, phrase: tuple[int, int]) -> PhraseChanges:
    """Compare two renditions of the same words and voice, 24 kHz.

    Args:
        neutral: The one to compare with.
        cued: The other. Where its phrase is follows from its spectra.
        phrase: Samples [start, end) of the phrase in ``neutral``, counted from its first sound.

    Raises:
        InputError: One of the renditions is silent, or there is no sound in the phrase.
    """
    one, other = (audio[slice(*speech_bounds(audio))] for audio in (neutral, cued))
    before, after = _contour(one), _contour(other)
    start, end = (round(sample / BLOCK) for sample in phrase)
    at = counterparts(one, other)
    first, last = _audible(after.level, _around(at, start, -1), _around(at, end, 1))
    start, end = _audible(before.level, start, end)
    marks = (0, first, last, after.level.size)
    same = _same_moments((0, start, end, before.level.size), marks)
    inside, core, elsewhere = _parts(before.level, start, end)
    louder = after.level[same] - before.level
    # An octave is a slip of the tracker: no phrase is raised by half of one.
    higher = (after.semitones[same] - before.semitones + 6) % 12 - 6
    return PhraseChanges(
        level_db=_quantile(louder[core], 0.5),
        semitones=_quantile(higher[core], 0.75),
        duration=(marks[2] - marks[1]) / (end - start) - 1,
        level_db_elsewhere=_quantile(louder[elsewhere], 0.5),
        semitones_elsewhere=_quantile(higher[elsewhere], 0.5),
        duration_elsewhere=(marks[3] - marks[2] + marks[1]) / max((~inside).sum(), 1) - 1,
    )


@dataclass(frozen=True)
class _Contour:
    """By block of 10 ms."""

    level: Wave
    """dB, smoothed."""
    semitones: Wave
    """F0 over 1 Hz; NaN where unvoiced."""


def _contour(speech: Audio) -> _Contour:
    power = np.convolve(block_power(speech), _SMOOTHING / _SMOOTHING.sum(), "same")
    blocks, hertz, score = f0_blocks(speech)
    sure = (score >= _VOICED) & (blocks < power.size)
    semitones = np.full(power.size, np.nan)
    semitones[blocks[sure]] = 12 * np.log2(hertz[sure])
    return _Contour(10 * np.log10(power + 1e-12), semitones)


def _audible(level: Wave, start: int, end: int) -> tuple[int, int]:
    """From the first to the last sound between two blocks, its end excluded."""
    first = max(start, 0)
    inside = level[first : max(end, 0)]
    if not inside.size:
        raise InputError("there is no sound in the phrase", stage="gate")
    loud = first + np.flatnonzero(inside > inside.max() - _AUDIBLE_DB)
    return int(loud[0]), int(loud[-1]) + 1


def _around(at: Wave, mark: int, side: int) -> int:
    """Where ``mark`` is, as the blocks on that side of it say that are in the other rendition as
    they are in the one: the path itself may wander where the sound is steady."""
    near = np.arange(mark, mark + side * _NEIGHBOURS, side)
    near = near[(near >= 0) & (near < at.size)]
    return round(mark + float(np.median(at[near] - near))) if near.size else round(float(at[-1]))


def _same_moments(marks: tuple[float, ...], others: tuple[float, ...]) -> NDArray[np.intp]:
    """Each block's counterpart, with time running evenly between the marks."""
    middles = np.arange(marks[-1]) + 0.5
    places = np.interp(middles, marks, others).astype(np.intp)
    return np.minimum(places, int(others[-1]) - 1)


def _parts(level: Wave, start: int, end: int) -> tuple[NDArray[np.bool_], ...]:
    """The phrase; its louder part without its ends; what is audible elsewhere."""
    at = np.arange(level.size)
    inside = (at >= start) & (at < end)
    ramp = min(_RAMP, (end - start) // 4)
    inner = (at >= start + ramp) & (at < end - ramp)
    core = inner & (level > level[inner].max() - _CORE_DB)
    return inside, core, ~inside & (level > level.max() - _AUDIBLE_DB)


def _quantile(changes: Wave, share: float) -> float:
    known = changes[~np.isnan(changes)]
    return float(np.quantile(known, share)) if known.size >= _FEWEST else float("nan")
