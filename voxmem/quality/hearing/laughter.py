"""Whether somebody laughs: the one delivery that is an event, which a listening model must name."""

from __future__ import annotations

from voxmem.quality.hearing import listen
from voxmem.speech.engine import Audio

CLASSES = ("Laughter", "Baby laughter", "Giggle", "Snicker", "Belly laugh", "Chuckle, chortle")
"""Its AudioSet names."""
LEAST_RISE = 2.0
"""Logits of YAMNet, of which a step is 0.76. No embedded voice laughs, so it is not calibrated."""


def laughter_rise(neutral: Audio, cued: Audio) -> float:
    """By how many logits the cued rendition's most laughing second exceeds the neutral one's.

    Raises:
        MissingExtra: The model is not installed.
        InputError: One of the renditions is silent.
    """
    return _most(cued) - _most(neutral)


def _most(audio: Audio) -> float:
    names = listen.sound_classes()
    places = [names.index(name) for name in CLASSES]
    return float(listen.sound_logits(audio)[:, places].max())
