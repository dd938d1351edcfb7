"""Who speaks, by speaker embeddings."""

from __future__ import annotations

import numpy as np

from voxmem.keys import numpy_rng
from voxmem.memory.voices import embedded, labels


def near(direction, cosine, seed):
    """A unit vector at that cosine to another."""
    noise = numpy_rng("voices", seed).normal(size=direction.size)
    noise -= noise @ direction * direction
    made = cosine * direction + np.sqrt(1 - cosine**2) * noise / np.linalg.norm(noise)
    return np.asarray(made, dtype=np.float32)


ONE, OTHER = (np.eye(192, dtype=np.float32)[at] for at in (0, 1))


def test_clear_voices_are_grouped_and_unclear_ones_join_the_nearest():
    voices = [near(ONE, 0.97, 1), near(OTHER, 0.97, 2), near(ONE, 0.97, 3), near(OTHER, 0.7, 4)]
    assert labels(voices, [True] * 3 + [False]) == ["voice 1", "voice 2", "voice 1", "voice 2"]


def test_an_unclear_voice_that_is_like_nobody_is_somebody_else():
    voices = [near(ONE, 0.97, 1), near(ONE, 0.97, 2), near(ONE, 0.3, 3), None]
    assert labels(voices, [True, True, False, False]) == ["voice 1", "voice 1", "voice 2", None]


def test_voices_that_are_somewhat_alike_stay_apart():
    alike = near(ONE, 0.78, 5)
    assert labels([ONE, alike], [True, True]) == ["voice 1", "voice 2"]
    assert labels([ONE, near(ONE, 0.9, 5)], [True, True]) == ["voice 1", "voice 1"]


def test_nothing_heard_is_no_voice():
    assert embedded([]) is None
    assert labels([None], [True]) == [None]
