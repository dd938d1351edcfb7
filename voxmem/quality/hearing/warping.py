"""Which moment of one rendition is which of another: dynamic time warping of their spectra."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.levels import BLOCK

Wave = NDArray[np.float64]

_WINDOW = 600  # 25 ms
_BANDS = 24
_LOWEST, _HIGHEST = 150.0, 7000.0
_FLOOR_DB = 45.0  # below the loudest band of all: silence is silence
_STEP_ASIDE = 0.35  # cost of a step in which one of the two stands still


def counterparts(one: Audio, other: Audio) -> Wave:
    """For each whole block of ``one`` (10 ms), and for its end, where it is in ``other``, in
    blocks: ascending, [blocks + 1]. Level and F0 hardly matter to it.

    Both are speech of the same words, cut to their sounds.
    """
    cost = _distances(_spectra(one), _spectra(other))
    rows, columns = _path(_accumulated(cost))
    starts = np.interp(np.arange(cost.shape[0]), *_mean_column(rows, columns))
    return np.append(starts, cost.shape[1])


def _spectra(audio: Audio) -> Wave:
    """Log power in bands less its mean, [blocks, bands]."""
    padded = np.pad(audio.astype(np.float64), (_WINDOW - BLOCK) // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::BLOCK]
    power = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), axis=1)) ** 2 @ _bands()
    levels = 10 * np.log10(np.maximum(power, power.max() * 10 ** (-_FLOOR_DB / 10) + 1e-20))
    return np.asarray(levels - levels.mean(axis=1, keepdims=True)) / 10


@cache
def _bands() -> Wave:
    """Triangles evenly spaced on the mel scale, [bins, bands]."""
    hertz = np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE)
    low, high = (np.log1p(edge / 700) for edge in (_LOWEST, _HIGHEST))
    edges = 700 * np.expm1(np.linspace(low, high, _BANDS + 2))
    rise = (hertz[:, None] - edges[:-2]) / np.diff(edges[:-1])
    fall = (edges[2:] - hertz[:, None]) / np.diff(edges[1:])
    return np.asarray(np.clip(np.minimum(rise, fall), 0.0, None))


def _distances(one: Wave, other: Wave) -> Wave:
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1)[None, :] - 2 * one @ other.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / _BANDS))


def _accumulated(cost: Wave) -> Wave:
    """The cost of the cheapest path to each pair of blocks, by antidiagonals."""
    rows, columns = cost.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    total[0, 0] = 0.0
    for diagonal in range(rows + columns - 1):
        i = np.arange(max(0, diagonal - columns + 1), min(rows, diagonal + 1))
        j = diagonal - i
        aside = np.minimum(total[i, j + 1], total[i + 1, j]) + _STEP_ASIDE
        total[i + 1, j + 1] = cost[i, j] + np.minimum(total[i, j], aside)
    return total[1:, 1:]


def _path(total: Wave) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    i, j = total.shape[0] - 1, total.shape[1] - 1
    steps = [(i, j)]
    while i or j:
        back = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        reach = [
            total[a, b] + (_STEP_ASIDE if at else 0.0) if a >= 0 and b >= 0 else np.inf
            for at, (a, b) in enumerate(back)
        ]
        i, j = back[int(np.argmin(reach))]
        steps.append((i, j))
    rows, columns = np.array(steps[::-1], dtype=np.intp).T
    return rows, columns


def _mean_column(
    rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Wave]:
    """Each row once, with the first of its columns."""
    unique, first = np.unique(rows, return_index=True)
    return unique, columns[first].astype(np.float64)
