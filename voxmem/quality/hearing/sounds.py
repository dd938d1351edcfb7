"""Which sound is behind a turn, as far as the sound model can tell.

The model hears patches of about a second and names 521 classes. Any sound raises most of them, and
speech drowns some, so an event's evidence is compared with what the same event's classes show
behind other sounds (:class:`Scale`), and it is listened for where nobody speaks: the two ends of a
clip, joined, are one more patch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.hearing import listen
from voxmem.quality.hearing.sound_names import SOUND_NAMES
from voxmem.speech.engine import SAMPLE_RATE, Audio

SILENCE = -20.0
"""The logit of every class in digital silence, below what the model gives to anything."""
_JOIN = SAMPLE_RATE // 100
_PATCH = SAMPLE_RATE  # a little more than the model's 0.975 s


class Scale(NamedTuple):
    """Of one event's evidence over clips with all kinds of sounds."""

    mean: float
    deviation: float


def ends(audio: Audio, seconds: float) -> Audio:
    """The first and the last ``seconds`` of a clip, one after the other as often as fills a second:
    float32 [samples], or nothing if ``seconds`` is 0."""
    edge = round(seconds * SAMPLE_RATE)
    if edge <= 2 * _JOIN:
        return audio[:0]
    parts = [audio[:edge], audio[-edge:]] * int(np.ceil(_PATCH / (2 * (edge - _JOIN))))
    rise = np.linspace(0.0, 1.0, _JOIN, dtype=np.float32)
    out = parts[0]
    for part in parts[1:]:
        seam = out[-_JOIN:] * (1 - rise) + part[:_JOIN] * rise
        out = np.concatenate([out[:-_JOIN], seam, part[_JOIN:]])
    return out


def heard_classes(audio: Audio) -> NDArray[np.float32]:
    """The largest logit of each class in any patch, [521].

    Raises:
        MissingExtra: The sound model is not installed.
    """
    if not audio.any():
        return np.full(len(listen.sound_classes()), SILENCE, dtype=np.float32)
    return np.asarray(listen.sound_logits(audio).max(axis=0), dtype=np.float32)


def heard_in_clip(clip: Audio, edge_seconds: float) -> NDArray[np.float32]:
    """The largest logit of each class in any patch of the clip or of its ends, [521].

    Raises:
        MissingExtra: The sound model is not installed.
    """
    return np.maximum(heard_classes(clip), heard_classes(ends(clip, edge_seconds)))


def evidence(classes: NDArray[np.float32], events: Iterable[str]) -> dict[str, float]:
    """Event → the mean logit of its AudioSet names, out of :func:`heard_in_clip`."""
    order = listen.sound_classes()
    return {
        event: float(np.mean([classes[order.index(name)] for name in SOUND_NAMES[event]]))
        for event in events
    }


def scores(found: Mapping[str, float], scales: Mapping[str, Scale]) -> dict[str, float]:
    """Event → how many deviations its evidence is above its mean, for all events with a scale."""
    return {event: (found[event] - scale.mean) / scale.deviation for event, scale in scales.items()}


def named(found: Mapping[str, float]) -> str:
    """The event with the largest score."""
    return max(found, key=lambda event: found[event])
