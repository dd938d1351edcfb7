"""What can be measured of how something was said: F0, level, voicing, tilt, rate and pauses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.levels import BLOCK, active_level_db, block_power, speech_bounds

Wave = NDArray[np.float64]

_DECIMATED = 3  # F0 is tracked at 8 kHz
_RATE = SAMPLE_RATE // _DECIMATED
_WINDOW = 400  # 50 ms
_LOWEST, _HIGHEST = 60.0, 480.0
_CANDIDATES = 6
_JUMP_COST = 1.0  # score lost for each octave of a jump between neighbouring frames
_TASTE = 0.02  # score lost for each octave down: settles a period against its multiples
_POWER = 1.0  # of the magnitude spectrum; 2 is plain autocorrelation, which a strong formant leads
_VOICED = 0.3  # correlation from which a frame counts as voiced
_FEWEST = 10  # voiced frames, to say anything of their spread
_PAUSE_BLOCKS = 12
_PAUSE_DB = 28.0


@dataclass(frozen=True)
class Prosody:
    """One rendition's measures. F0 is NaN where no frame is voiced."""

    seconds: float
    """From the first to the last sound."""
    pause_seconds: float
    """In silences of 120 ms or more inside of it."""
    pauses: int
    level_db: float
    """Active level against full scale."""
    f0_hz: float
    """Median over voiced frames."""
    f0_spread: float
    """Octaves between the 10th and 90th percentile over voiced frames."""
    f0_end_hz: float
    """What the highest fifth reaches in the last third of the voiced frames."""
    voicing: float
    """Mean over active frames of the correlation at the pitch period, 0 to 1: grows with the share
    of the sound that is harmonic."""
    tilt_db: float
    """Power between 1 and 5 kHz over that between 50 Hz and 1 kHz (the alpha ratio)."""


def measure(audio: Audio) -> Prosody:
    """The measures of 24 kHz speech.

    Raises:
        InputError: The audio is silent or shorter than 10 ms.
    """
    start, end = speech_bounds(audio, gate_db=38.0)
    speech = audio[start:end]
    pauses = _pauses(speech)
    pitch, score = f0_track(speech)
    octaves = np.log2(pitch[score >= _VOICED])
    return Prosody(
        seconds=speech.size / SAMPLE_RATE,
        pause_seconds=sum(pauses) * BLOCK / SAMPLE_RATE,
        pauses=len(pauses),
        level_db=active_level_db(audio),
        f0_hz=float(2 ** np.median(octaves)) if octaves.size else float("nan"),
        f0_spread=float(np.subtract(*np.percentile(octaves, [90, 10])))
        if octaves.size >= _FEWEST
        else float("nan"),
        f0_end_hz=float(2 ** np.quantile(octaves[octaves.size * 2 // 3 :], 0.8))
        if octaves.size
        else float("nan"),
        voicing=float(score.mean()) if score.size else 0.0,
        tilt_db=_tilt(speech),
    )


def _pauses(speech: Audio) -> list[int]:
    """Lengths, in blocks, of the inner stretches that are quiet for 120 ms or more."""
    power = block_power(speech)
    loud = np.flatnonzero(power >= power.max() * 10 ** (-_PAUSE_DB / 10))
    gaps = np.diff(loud) - 1
    return [int(gap) for gap in gaps if gap >= _PAUSE_BLOCKS]


def _tilt(speech: Audio) -> float:
    power = np.abs(np.fft.rfft(speech)) ** 2
    hertz = np.fft.rfftfreq(speech.size, 1 / SAMPLE_RATE)
    high = power[(hertz >= 1000) & (hertz < 5000)].sum()
    low = power[(hertz >= 50) & (hertz < 1000)].sum()
    return float(10 * np.log10((high + 1e-12) / (low + 1e-12)))


def f0_track(speech: Audio) -> tuple[Wave, Wave]:
    """F0 in Hz and its autocorrelation (0 to 1) in each active frame of 10 ms, by the cheapest
    path through a few candidates a frame (Viterbi); the bare maximum jumps by octaves."""
    _, pitch, score = f0_blocks(speech)
    return pitch, score


def f0_blocks(speech: Audio) -> tuple[NDArray[np.intp], Wave, Wave]:
    """The 10 ms blocks that are active, and :func:`f0_track` in a window around each."""
    low = _decimate(speech)
    if low.size < 2 * _WINDOW:
        return np.empty(0, dtype=np.intp), np.empty(0), np.empty(0)
    frames = np.lib.stride_tricks.sliding_window_view(low, 2 * _WINDOW)[:: _RATE // 100]
    energy = np.einsum("ij,ij->i", frames, frames)
    active = np.flatnonzero(energy >= energy.max() * 1e-3)
    correlation = _correlation(frames[active])
    lags = np.arange(correlation.shape[1])
    first, last = int(_RATE / _HIGHEST), int(_RATE / _LOWEST)
    inner = correlation[:, first:last]
    peak = (inner >= correlation[:, first - 1 : last - 1]) & (
        inner >= correlation[:, first + 1 : last + 1]
    )
    scores = np.where(peak, inner - _TASTE * np.log2(lags[first:last] / first), -1.0)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :_CANDIDATES]
    chosen = _cheapest(np.take_along_axis(scores, best, 1), np.log2(best + first))
    place = np.take_along_axis(best, chosen[:, None], 1)[:, 0]
    value = np.take_along_axis(inner, place[:, None], 1)[:, 0]
    pitch = _RATE / _refined(correlation, place + first)
    return active + _WINDOW // (_RATE // 100), pitch, np.clip(value, 0.0, 1.0)


def _decimate(speech: Audio) -> Wave:
    from scipy.signal import resample_poly

    return np.asarray(resample_poly(speech.astype(np.float64), 1, _DECIMATED))


def _correlation(frames: Wave) -> Wave:
    """Normalised autocorrelation, [frames, lags up to 50 ms]: windowed, divided by the window's."""
    window = _window()
    size = 2048
    magnitude = np.abs(np.fft.rfft((frames - frames.mean(axis=1, keepdims=True)) * window, size))
    spectrum = magnitude**_POWER
    raw = np.fft.irfft(spectrum)[:, :_WINDOW]
    own = np.fft.irfft(np.abs(np.fft.rfft(window, size)) ** _POWER)[:_WINDOW]
    return np.asarray(raw / np.maximum(raw[:, :1], 1e-12) / (own / own[0]))


@cache
def _window() -> Wave:
    return np.hanning(2 * _WINDOW)


def _cheapest(scores: Wave, octaves: Wave) -> NDArray[np.intp]:
    total, back = scores[0].copy(), np.zeros(scores.shape, dtype=np.intp)
    for i in range(1, scores.shape[0]):
        jump = np.abs(octaves[i][:, None] - octaves[i - 1][None, :])
        reach = total[None, :] - _JUMP_COST * jump
        back[i] = reach.argmax(axis=1)
        total = scores[i] + reach.max(axis=1)
    path = np.zeros(scores.shape[0], dtype=np.intp)
    path[-1] = int(total.argmax())
    for i in range(scores.shape[0] - 1, 0, -1):
        path[i - 1] = back[i, path[i]]
    return path


def _refined(correlation: Wave, lag: NDArray[np.intp]) -> Wave:
    rows = np.arange(lag.size)
    a, b, c = (correlation[rows, lag + step] for step in (-1, 0, 1))
    bend = a - 2 * b + c
    shift = np.where(np.abs(bend) > 1e-9, 0.5 * (a - c) / np.where(bend == 0, 1, bend), 0.0)
    return np.asarray(lag + np.clip(shift, -0.5, 0.5))
