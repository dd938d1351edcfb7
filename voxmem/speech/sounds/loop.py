"""Sounds that go round: made of any recording, cut to any length."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voxmem.speech.engine import SAMPLE_RATE, Audio

LOOP_RMS = 0.1
"""Of every loop, against full scale. The mixing sets the level that is heard."""
_CROSS_FADE = SAMPLE_RATE // 4
_EDGE = SAMPLE_RATE // 2
_STARTS = 16


@dataclass(frozen=True)
class Loop:
    """A sound whose end joins up with its start."""

    audio: Audio
    """float32 [samples], read-only, RMS 0.1."""
    power: NDArray[np.float64]
    """Energy of the half second (or the whole loop, if that is shorter) from each sample on."""

    def cut(self, samples: int, rng: random.Random) -> Audio:
        """``samples`` from a random place on, as often round as is needed.

        Among a few places the one is taken where most is heard within half a second of both ends,
        because there the sound is alone.
        """
        size = self.audio.size
        edge = min(_EDGE, size)
        starts = np.array([rng.randrange(size) for _ in range(_STARTS)])
        heard = self.power[starts] + self.power[(starts + samples - edge) % size]
        start = int(starts[int(np.argmax(heard))])
        parts = [self.audio[start : start + samples]]
        missing = samples - parts[0].size
        parts += [self.audio] * (missing // size) + [self.audio[: missing % size]]
        return np.concatenate(parts)


def make_loop(periodic: NDArray[np.floating]) -> Loop:
    """A loop of a sound that joins up with itself already, without its mean."""
    wave = periodic - periodic.mean()
    audio = (wave * (LOOP_RMS / np.sqrt(np.mean(wave**2)))).astype(np.float32)
    audio.flags.writeable = False
    edge = min(_EDGE, audio.size)
    total = np.cumsum(np.square(np.append(audio, audio[:edge]), dtype=float))
    total = np.concatenate([[0.0], total])
    return Loop(audio, total[edge : edge + audio.size] - total[: audio.size])


def loop_of(recording: Audio) -> Loop:
    """A loop of any recording: its last quarter of a second (or of itself, if that is less) fades
    into its first, with equal power, as the two are not alike."""
    fade = min(_CROSS_FADE, recording.size // 4)
    angle = np.linspace(0.0, np.pi / 2, fade)
    body = recording[: recording.size - fade].astype(float)
    body[:fade] = body[:fade] * np.sin(angle) + recording[recording.size - fade :] * np.cos(angle)
    return make_loop(body)
