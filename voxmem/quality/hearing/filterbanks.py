"""The two log-mel front ends that the embedded judges were trained with, in NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

RATE = 16_000
_WINDOW, _HOP, _FFT = 400, 160, 512  # 25 ms, 10 ms


def _windows(audio: Array) -> Array:
    if audio.shape[0] < _WINDOW:
        audio = np.pad(audio, (0, _WINDOW - audio.shape[0]))
    return np.lib.stride_tricks.sliding_window_view(audio, _WINDOW)[::_HOP]


@cache
def _mel_weights(low: float, high: float, count: int, triangles_in_mel: bool) -> Array:
    """[257, count] triangles, evenly spaced in mel; their sides straight in mel or in Hz."""

    def mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1127.0 * np.log1p(hertz / 700.0)

    bins = np.arange(_FFT // 2 + 1) * RATE / _FFT
    first, last = mel(np.array([low, high]))
    edges = np.linspace(first, last, count + 2)
    axis = mel(bins)
    if not triangles_in_mel:
        axis, edges = bins, 700.0 * np.expm1(edges / 1127.0)
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising = (axis[:, None] - left) / (centre - left)
    falling = (right - axis[:, None]) / (right - centre)
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)), dtype=np.float32)


def speaker_features(audio: Array) -> Array:
    """Kaldi's filter bank at 16 kHz: [frames, 80] log energies, mean-normalised over time."""
    frames = _windows(audio * np.float32(32768.0)).astype(np.float32)
    frames = frames - frames.mean(axis=1, keepdims=True)
    previous = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    n = np.arange(_WINDOW)
    povey = (0.5 - 0.5 * np.cos(2 * np.pi * n / (_WINDOW - 1))) ** 0.85
    emphasised = (frames - np.float32(0.97) * previous) * povey.astype(np.float32)
    power = np.abs(np.fft.rfft(emphasised, _FFT, axis=1)) ** 2
    mel = power @ _mel_weights(20.0, RATE / 2, 80, True)
    features = np.log(np.maximum(mel, np.finfo(np.float32).eps))
    return np.asarray(features - features.mean(axis=0), dtype=np.float32)


def sound_patches(audio: Array) -> Array:
    """YAMNet's input at 16 kHz: [patches, 96, 64], one patch of 0.96 s every 0.48 s. Shorter
    audio is repeated until it fills one."""
    shortest = _WINDOW + 95 * _HOP
    if audio.shape[0] < shortest:
        audio = np.resize(audio, shortest)
    hann = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)).astype(np.float32)
    magnitude = np.abs(np.fft.rfft(_windows(audio) * hann, _FFT, axis=1))
    mel = np.log(magnitude @ _mel_weights(125.0, 7500.0, 64, False) + 0.001)
    starts = range(0, mel.shape[0] - 95, 48)
    return np.stack([mel[start : start + 96] for start in starts]).astype(np.float32)
