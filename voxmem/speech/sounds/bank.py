"""The bank of background sounds: each event in a few variants, made once a process."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.sounds.recipes import RECIPES
from voxmem.speech.sounds.source import Background, SoundSource

SOUND_LICENCE = "Apache-2.0, synthesised by voxmem"
SOUND_SOURCE = "voxmem bank 2"
"""Name and revision of the bank; changes whenever a sound may change."""
VARIANTS = 4
LOOP_SECONDS = 8.0
LOOP_RMS = 0.1
_EDGE = SAMPLE_RATE // 4
_STARTS = 16


class Bank:
    """The embedded source of sounds."""

    name = "bank"
    revision = SOUND_SOURCE
    events = tuple(RECIPES)

    def background(self, event: str, samples: int, seed: int = 0) -> Background:
        return Background(background(event, samples, seed), SOUND_SOURCE, SOUND_LICENCE)


def open_bank(argument: str) -> SoundSource:
    """The bank, which takes nothing after its colon."""
    return Bank()


def background(event: str, samples: int, seed: int = 0) -> Audio:
    """``samples`` of the event, out of one of its variants and from a place that ``seed`` decides.

    The loop goes round as often as is needed; its ends join up. Among a few places the one is
    taken where most is heard within a quarter of a second of both ends, because there the sound
    is alone. RMS is about 0.1 of full scale.

    Raises:
        UsageError: The bank has no such event.
    """
    rng = keys.rng("sound", event, seed)
    loop, power = _known(event, rng.randrange(VARIANTS))
    starts = np.array([rng.randrange(loop.size) for _ in range(_STARTS)])
    edges = power[starts] + power[(starts + samples - _EDGE) % loop.size]
    start = int(starts[int(np.argmax(edges))])
    return np.take(loop, np.arange(start, start + samples), mode="wrap")


def bank(event: str, variant: int) -> Audio:
    """One variant of an event as a loop of 8 s, read-only.

    Raises:
        UsageError: The bank has no such event.
    """
    return _known(event, variant)[0]


def _known(event: str, variant: int) -> tuple[Audio, NDArray[np.float64]]:
    if event not in RECIPES:
        raise UsageError(
            f"there is no sound {event!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(RECIPES)}",
        )
    return _made(event, variant)


@cache
def _made(event: str, variant: int) -> tuple[Audio, NDArray[np.float64]]:
    """The loop, and the energy of the quarter of a second from each of its samples on."""
    n = round(LOOP_SECONDS * SAMPLE_RATE)
    wave = RECIPES[event](keys.numpy_rng("sound bank", SOUND_SOURCE, event, variant), n)
    wave = wave - wave.mean()
    loop = (wave * (LOOP_RMS / np.sqrt(np.mean(wave**2)))).astype(np.float32)
    loop.flags.writeable = False
    total = np.concatenate(
        [[0.0], np.cumsum(np.square(np.append(loop, loop[:_EDGE]), dtype=float))]
    )
    return loop, total[_EDGE : _EDGE + n] - total[:n]
