"""Emphasis on a phrase: longer, higher and louder there, and nothing else touched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from voxmem.errors import SpeechError
from voxmem.speech.deliveries import Style, tilt
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.frames import FRAME_SECONDS, Array, Frames, lift, select

STRESS = Style(rate=0.74, pitch=1.2, span=1.25, gain_db=5.0, tilt_db=0.8)
"""Of the phrase, against the same words unstressed."""

_RAMP = 0.05
"""Seconds in which the stress sets in at the start of the phrase, and wears off at its end."""


def stress(frames: Frames, style: Style = STRESS) -> Frames:
    """The frames with their phrase stressed, but for its level, which is set on the waveform.

    Raises:
        SpeechError: No phrase is marked in them.
    """
    start, end = marked(frames)
    count = round((end - start) / style.rate)
    inner = start + (np.arange(count) + 0.5) * ((end - start) / count) - 0.5
    places = [np.arange(start), np.rint(inner), np.arange(end, frames.count)]
    longer = select(frames, np.concatenate(places).astype(np.intp))
    weight = _weight(longer.count, start, start + count, _RAMP / FRAME_SECONDS)
    tilted = lift(longer, np.outer(tilt(style.tilt_db), weight))
    return replace(tilted, f0=_raised(longer, style, weight))


def raise_phrase(
    cued: Audio, stressed: Frames, neutral: Audio, plain: Frames, style: Style = STRESS
) -> Audio:
    """``cued`` with its phrase as much louder than that of ``neutral`` as the style says."""
    weight = _weight(cued.size, *samples(stressed), _RAMP * SAMPLE_RATE)
    before = _weight(neutral.size, *samples(plain), _RAMP * SAMPLE_RATE)
    change = 10 * np.log10(_power(cued, weight) / _power(neutral, before))
    return np.asarray(cued * 10 ** ((style.gain_db - change) / 20 * weight), dtype=np.float32)


def marked(frames: Frames) -> tuple[int, int]:
    """The frames [start, end) of the phrase.

    Raises:
        SpeechError: None is marked.
    """
    if frames.phrase is None:
        raise SpeechError("the phrase to be stressed has no sound", stage="speak")
    return frames.phrase


def samples(frames: Frames) -> tuple[int, int]:
    """The samples [start, end) of the phrase."""
    start, end = (round(at * FRAME_SECONDS * SAMPLE_RATE) for at in marked(frames))
    return start, end


def _weight(count: int, start: int, end: int, ramp: float) -> Array:
    """How much of the stress is where: 0 outside of the phrase, 1 in its middle, [count]."""
    at = np.arange(count) + 0.5
    return np.clip(np.minimum(at - start, end - at) / ramp, 0.0, 1.0).astype(np.float32)


def _power(audio: Audio, weight: Array) -> float:
    return float(np.average(np.square(audio, dtype=np.float64), weights=weight))


def _raised(frames: Frames, style: Style, weight: Array) -> Array:
    """F0 by the style, around its mean in the phrase."""
    voiced = frames.voiced
    logs = np.log(np.where(voiced, frames.f0, 1.0))
    inside = voiced & (weight > 0)
    mean = logs[inside].mean() if inside.any() else 0.0
    raised = logs + weight * (np.log(style.pitch) + (style.span - 1) * (logs - mean))
    return np.where(voiced, np.exp(raised), 0.0).astype(np.float32)
