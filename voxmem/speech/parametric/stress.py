"""Emphasis on a phrase: longer, higher and louder there, and nothing else touched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import SpeechError
from voxmem.speech.engine import Audio
from voxmem.speech.parametric.frames import Array, Frames, envelope, lift, select
from voxmem.speech.parametric.peaks import FRAME, over, with_gain
from voxmem.speech.parametric.styles import Style, tilt

STRESS = Style(rate=0.74, pitch=1.17, span=1.1, gain_db=6.0, tilt_db=0.8)
"""Of the phrase, against the same words unstressed."""

_RAMP = 3
"""Frames (38 ms) in which the stress sets in at the start of the phrase, or wears off at its end.
"""
_SMOOTHING = np.hanning(9)[1:-1]  # levels are followed over some 50 ms
_QUIET_DB = 35.0  # below the loudest moment: from there on, a pause is not filled up
_MOST_DB = 15.0


def stress(frames: Frames, style: Style = STRESS) -> Frames:
    """The frames with their phrase stressed, but for its level, which is set on the waveform.

    Raises:
        SpeechError: No phrase is marked in them.
    """
    longer = select(frames, _sources(frames, style))
    start, end = _marked(longer)
    weight = _weight(longer)
    harmonic, inside = longer.harmonic.copy(), longer.harmonic[:, start:end]
    harmonic[:, start:end] += weight[start:end] * (envelope(inside) - inside)
    raised = replace(longer, harmonic=harmonic, f0=_raised(longer, style, weight))
    return lift(raised, np.outer(tilt(style.tilt_db), weight))


def raise_phrase(
    cued: Audio, stressed: Frames, neutral: Audio, frames: Frames, style: Style = STRESS
) -> Audio:
    """``cued``, the sound of ``stressed``, with its phrase louder by the style's gain than the same
    words are in ``neutral``, the sound of ``frames``, moment for moment.

    Another F0 puts other harmonics on the formants, and so other weight on the vowels: with one
    gain for all, a stressed phrase may be louder as a whole and yet have vowels that are weaker.
    """
    weight = _weight(stressed)
    missing = _levels(neutral)[_sources(frames, style)] + style.gain_db - _levels(cued)
    change = np.clip(missing, -_MOST_DB, _MOST_DB) * weight
    # A clip that does not fit into 16 bits would be lowered as a whole, and its rest with it.
    excess = over(with_gain(cued, change)) * (weight > 0)
    return with_gain(cued, change - excess)


def samples(frames: Frames) -> tuple[int, int]:
    """The samples [start, end) of the phrase.

    Raises:
        SpeechError: None is marked.
    """
    start, end = _marked(frames)
    return start * FRAME, end * FRAME


def _marked(frames: Frames) -> tuple[int, int]:
    if frames.phrase is None:
        raise SpeechError("the phrase to be stressed has no sound", stage="speak")
    return frames.phrase


def _sources(frames: Frames, style: Style) -> NDArray[np.intp]:
    """Which frame each frame is once the phrase has its length."""
    start, end = _marked(frames)
    count = round((end - start) / style.rate)
    inner = start + (np.arange(count) + 0.5) * ((end - start) / count) - 0.5
    places = [np.arange(start), np.rint(inner), np.arange(end, frames.count)]
    return np.concatenate(places).astype(np.intp)


def _weight(frames: Frames) -> Array:
    """How much of the stress each frame has: 0 outside of the phrase, 1 in its middle, [frames]."""
    start, end = _marked(frames)
    at = np.arange(frames.count) + 0.5
    near = np.minimum(at - start, end - at) / _RAMP
    return np.asarray(np.clip(near, 0.0, 1.0), dtype=np.float32)


def _raised(frames: Frames, style: Style, weight: Array) -> Array:
    """F0 by the style, around its mean in the phrase."""
    voiced = frames.voiced
    logs = np.log(np.where(voiced, frames.f0, 1.0))
    inside = voiced & (weight > 0)
    mean = logs[inside].mean() if inside.any() else 0.0
    change = np.log(style.pitch) + (style.span - 1) * (logs - mean)
    return np.where(voiced, frames.f0 * np.exp(weight * change), 0.0).astype(np.float32)


def _levels(audio: Audio) -> NDArray[np.float64]:
    """The level in and around each frame, dB; what is all but silent counts as equally so."""
    power = np.square(audio.reshape(-1, FRAME), dtype=np.float64).mean(axis=1)
    smooth = np.convolve(power, _SMOOTHING / _SMOOTHING.sum(), "same")
    return np.asarray(10 * np.log10(np.maximum(smooth, smooth.max() * 10 ** (-_QUIET_DB / 10))))
