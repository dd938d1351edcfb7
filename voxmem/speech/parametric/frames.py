"""Speech as spectral frames: what the network predicts, and the edits that make voices and cues.

Arrays are [bins, frames] float32 with 601 bins of 20 Hz and one frame every 12.5 ms; magnitudes
are natural logarithms (nepers; 1 neper = 8.69 dB).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

BINS = 601
BIN_HZ = 20.0
FRAME_SECONDS = 0.0125
SILENT = np.float32(-18.0)
"""A log magnitude far below anything audible."""
VOICED_HZ = 40.0
_LOWEST_HZ = 55.0
_HIGHEST_HZ = 430.0


@dataclass(frozen=True)
class Frames:
    """One stretch of speech before it becomes a waveform."""

    harmonic: Array
    """Log magnitude of the harmonics of F0, [bins, frames]."""
    harmonic_phase: Array
    noise: Array
    """Log magnitude of the noise, [bins, frames]."""
    residual: Array
    """Log magnitude of what is neither, with phases of its own, [bins, frames]."""
    residual_phase: Array
    f0: Array
    """Hz, [frames]; below 40 where unvoiced."""
    words: tuple[int, ...] = ()
    """Frames at which a new word starts (not the first one)."""
    clauses: tuple[int, ...] = ()
    """Those of ``words`` that follow a comma, a semicolon or the like."""
    phrase: tuple[int, int] | None = None
    """The frames [start, end) of the phrase that may be stressed."""

    @property
    def count(self) -> int:
        return int(self.f0.shape[0])

    @property
    def voiced(self) -> NDArray[np.bool_]:
        return self.f0 >= VOICED_HZ


def bin_frequencies() -> Array:
    """Hz of each bin, [601]."""
    return (np.arange(BINS) * BIN_HZ).astype(np.float32)


def select(frames: Frames, index: NDArray[np.intp]) -> Frames:
    """The frames at ``index`` in that order; -1 stands for a silent frame. Marks move along."""
    silent = index < 0
    source = np.where(silent, 0, index)

    def pick(array: Array, fill: np.float32) -> Array:
        out = array[..., source]
        out[..., silent] = fill
        return out

    def moved(marks: tuple[int, ...]) -> tuple[int, ...]:
        places = (np.flatnonzero(index >= mark) for mark in marks)
        return tuple(int(where[0]) for where in places if where.size)

    start, end = frames.phrase or (0, 0)
    inside = np.flatnonzero((index >= start) & (index < end))
    zero = np.float32(0)
    return Frames(
        harmonic=pick(frames.harmonic, SILENT),
        harmonic_phase=pick(frames.harmonic_phase, zero),
        noise=pick(frames.noise, SILENT),
        residual=pick(frames.residual, SILENT),
        residual_phase=pick(frames.residual_phase, zero),
        f0=pick(frames.f0, zero),
        words=moved(frames.words),
        clauses=moved(frames.clauses),
        phrase=(int(inside[0]), int(inside[-1]) + 1) if inside.size else None,
    )


def stretch(frames: Frames, factor: float) -> Frames:
    """The frames over ``factor`` times their time, each as it was."""
    count = max(1, round(frames.count * factor))
    places = (np.arange(count) + 0.5) * (frames.count / count) - 0.5
    return select(frames, np.rint(places).astype(np.intp))


def trim(frames: Frames, margin: int = 2, range_nepers: float = 5.5) -> Frames:
    """Without the silence (48 dB below the loudest frame) at both ends, but ``margin`` frames."""
    loud = np.maximum(frames.harmonic[5:400:8], frames.residual[5:400:8]).max(axis=0)
    audible = np.flatnonzero(loud > loud.max() - range_nepers)
    first = max(int(audible[0]) - margin, 0)
    last = min(int(audible[-1]) + 1 + margin, frames.count)

    def kept(marks: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(mark - first for mark in marks if first < mark < last)

    start, end = frames.phrase or (0, 0)
    start, end = max(start, first) - first, min(end, last) - first

    return Frames(
        harmonic=frames.harmonic[:, first:last],
        harmonic_phase=frames.harmonic_phase[:, first:last],
        noise=frames.noise[:, first:last],
        residual=frames.residual[:, first:last],
        residual_phase=frames.residual_phase[:, first:last],
        f0=frames.f0[first:last],
        words=kept(frames.words),
        clauses=kept(frames.clauses),
        phrase=(start, end) if start < end else None,
    )


def join(parts: list[Frames], gap_seconds: float) -> Frames:
    """Sentences one after another with silence between them."""
    if len(parts) == 1:
        return parts[0]
    gap = round(gap_seconds / FRAME_SECONDS)
    padded = [
        part
        if last
        else select(part, np.append(np.arange(part.count), np.full(gap, -1, dtype=np.intp)))
        for part, last in zip(parts, [False] * (len(parts) - 1) + [True], strict=True)
    ]
    starts = np.cumsum([0] + [part.count for part in padded])[:-1]

    def marks(name: str) -> tuple[int, ...]:
        return tuple(
            int(start) + mark
            for start, part in zip(starts, padded, strict=True)
            for mark in getattr(part, name)
        )

    phrases = [
        (int(start) + part.phrase[0], int(start) + part.phrase[1])
        for start, part in zip(starts, padded, strict=True)
        if part.phrase
    ]

    def stack(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in padded], axis=-1)

    return Frames(
        harmonic=stack("harmonic"),
        harmonic_phase=stack("harmonic_phase"),
        noise=stack("noise"),
        residual=stack("residual"),
        residual_phase=stack("residual_phase"),
        f0=stack("f0"),
        words=marks("words"),
        clauses=marks("clauses"),
        phrase=(phrases[0][0], phrases[-1][1]) if phrases else None,
    )


def warp(frames: Frames, scale: float, nepers: Array) -> Frames:
    """The frequency axis stretched by ``scale``: the formants of a shorter or longer vocal tract;
    then every magnitude raised by ``nepers`` [bins].

    The residual keeps its phases: they advance from frame to frame by bin, not by formant.
    """
    source = np.minimum(np.arange(BINS) / scale, BINS - 1)
    low = np.floor(source).astype(np.intp)
    high = np.minimum(low + 1, BINS - 1)
    weight = (source - low).astype(np.float32)[:, None]

    def moved(array: Array) -> Array:
        out = array[low]
        step = array[high]
        step -= out
        step *= weight
        out += step
        out += nepers[:, None]
        return out

    return replace(
        frames,
        harmonic=moved(frames.harmonic),
        harmonic_phase=frames.harmonic_phase[np.rint(source).astype(np.intp)],
        noise=moved(frames.noise),
        residual=moved(frames.residual),
    )


def shape(frames: Frames, nepers: Array) -> Frames:
    """Every magnitude raised by ``nepers``, [bins] or one number."""
    return lift(frames, nepers.reshape(-1, 1))


def lift(frames: Frames, nepers: Array) -> Frames:
    """Every magnitude raised by ``nepers``, [bins, frames] or what broadcasts to it."""
    return replace(
        frames,
        harmonic=frames.harmonic + nepers,
        noise=frames.noise + nepers,
        residual=frames.residual + nepers,
    )


def envelope(harmonic: Array, reach: int = 4) -> Array:
    """Harmonics' log magnitudes [bins, frames] without the dips between those of the network's own
    F0, into which they would fall at another: the most within ``reach`` bins, smoothed."""

    def windows(array: Array) -> Array:
        padded = np.pad(array, ((reach, reach), (0, 0)), mode="edge")
        return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)

    weights = np.hanning(2 * reach + 3)[1:-1].astype(np.float32)
    return np.asarray(windows(windows(harmonic).max(axis=-1)) @ (weights / weights.sum()))


def breathe(frames: Frames, nepers: float, harmonics: bool = True) -> Frames:
    """Noise in the shape of the harmonics added, ``nepers`` above (below) their envelope; without
    ``harmonics`` it takes their place, as in a whisper."""
    breath = frames.harmonic + np.float32(nepers)
    noise = np.maximum(frames.noise, breath)
    if harmonics:
        return replace(frames, noise=noise)
    return replace(
        frames,
        noise=noise,
        harmonic=np.full_like(frames.harmonic, SILENT),
        f0=np.zeros_like(frames.f0),
    )


def intone(frames: Frames, pivot: float, level: float, span: float) -> Frames:
    """F0 moved: its distance to ``pivot`` Hz scaled by ``span`` (in log Hz), then all of it by
    ``level``. Never below 55 Hz."""
    safe = np.maximum(frames.f0, VOICED_HZ)
    moved = pivot * level * np.exp(span * np.log(safe / pivot))
    f0 = np.where(frames.voiced, np.maximum(moved, _LOWEST_HZ), 0.0)
    return replace(frames, f0=f0.astype(np.float32))


def lift_end(frames: Frames, factor: float, ramp: tuple[float, float] = (0.55, 0.8)) -> Frames:
    """F0 raised to ``factor``: evenly in log Hz between the two shares of the time, all of it from
    then on; not above 430 Hz."""
    weight = np.interp(np.linspace(0.0, 1.0, frames.count), ramp, (0.0, 1.0))
    raised = np.minimum(frames.f0 * factor**weight, np.maximum(frames.f0, _HIGHEST_HZ))
    return replace(frames, f0=raised.astype(np.float32))


def mean_f0(frames: Frames) -> float:
    """Geometric mean of F0 over the voiced frames, Hz; 0 without any."""
    voiced = frames.f0[frames.voiced]
    return float(np.exp(np.log(voiced).mean())) if voiced.size else 0.0
