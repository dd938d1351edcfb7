"""What is measured of a delivery, so that neither a text's length nor a voice decides it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from voxmem.memory.heard import HeardClip
from voxmem.memory.parse.phones import ALPHABET, phones
from voxmem.quality.hearing.prosody import Prosody
from voxmem.quality.hearing.words import normal_words

Vector = NDArray[np.float64]

MEASURES = (
    "F0, octaves", "F0 range, octaves of the octaves", "F0 at the end, octaves", "level, dB",
    "voicing", "tilt, dB", "duration, octaves", "speech without pauses, octaves",
    "pauses, s beyond those expected", "pauses, beyond those expected",
    "stress, dB", "stress, semitones",
)  # fmt: skip
_NO_F0, _NO_SPREAD = 7.0, -2.0
"""What F0 and its range count as where nothing is voiced: 128 Hz, and hardly any."""
_LEAST_SPREAD = 0.02
_CLAUSE = re.compile(r"[,;:]\s")
_BREAK = re.compile(r"[.!?]+\s")

AMOUNTS = ("one", *ALPHABET, "words", "clauses", "sentences")
"""What of a text its duration and its pauses follow from: how often each sound occurs, and words,
commas and full stops inside of it."""


class Pace:
    """How long neutral speech of a text takes, and how it pauses: linear in :data:`AMOUNTS`.

    Args:
        coefficients: Of the seconds, the seconds without pauses, the seconds of pauses, and their
            number: [4, amounts].
    """

    def __init__(self, coefficients: Sequence[Sequence[float]]) -> None:
        self._of = np.array(coefficients, dtype=np.float64)

    def expected(self, text: str) -> Vector:
        """Of a text, [4]."""
        return np.asarray(self._of @ amounts(text), dtype=np.float64)


def amounts(text: str) -> Vector:
    """The :data:`AMOUNTS` of a text."""
    words = normal_words(text)
    sounds = "".join(map(phones, words))
    return np.array(
        [
            1.0,
            *(sounds.count(sound) for sound in ALPHABET),
            len(words),
            len(_CLAUSE.findall(text)),
            len(_BREAK.findall(text)),
        ]
    )


def times(prosody: Prosody) -> Vector:
    """What :class:`Pace` expects, as it was: [4]."""
    spoken = prosody.seconds - prosody.pause_seconds
    return np.array([prosody.seconds, spoken, prosody.pause_seconds, prosody.pauses])


def measures(clip: HeardClip, pace: Pace) -> Vector | None:
    """The :data:`MEASURES` of a recording; ``None`` for silence, or where no word was heard."""
    if clip.prosody is None or clip.stress is None or not clip.words:
        return None
    it, was, expected = clip.prosody, times(clip.prosody), pace.expected(clip.words)
    return np.array(
        [
            math.log2(it.f0_hz) if it.f0_hz > 0 else _NO_F0,
            math.log2(max(it.f0_spread, _LEAST_SPREAD)) if it.f0_spread > 0 else _NO_SPREAD,
            math.log2(it.f0_end_hz) if it.f0_end_hz > 0 else _NO_F0,
            it.level_db,
            it.voicing,
            it.tilt_db,
            math.log2(was[0] / max(expected[0], 0.1)),
            math.log2(max(was[1], 0.01) / max(expected[1], 0.1)),
            was[2] - expected[2],
            was[3] - expected[3],
            clip.stress.level_db,
            clip.stress.semitones,
        ]
    )
