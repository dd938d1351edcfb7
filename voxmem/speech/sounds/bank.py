"""The bank of background sounds: each event in a few variants, made once a process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.sounds.loop import Loop, make_loop
from voxmem.speech.sounds.recipes import RECIPES
from voxmem.speech.sounds.source import Background, SoundSource

SOUND_LICENCE = "Apache-2.0, synthesised by voxmem"
SOUND_SOURCE = "voxmem bank 2"
"""Name and revision of the bank; changes whenever a sound may change."""
VARIANTS = 4
LOOP_SECONDS = 8.0


class Bank:
    """The embedded source of sounds."""

    name = "bank"
    revision = SOUND_SOURCE
    events = tuple(RECIPES)

    def licences(self, event: str) -> Mapping[str, str]:
        return {f"{event} {variant}": SOUND_LICENCE for variant in range(VARIANTS)}

    def background(self, event: str, samples: int, seed: int = 0) -> Background:
        return Background(background(event, samples, seed), SOUND_SOURCE, SOUND_LICENCE)


def open_bank(argument: str) -> SoundSource:
    """The bank, which takes nothing after its colon."""
    return Bank()


def background(event: str, samples: int, seed: int = 0) -> Audio:
    """``samples`` of the event, out of one of its variants and from a place that ``seed`` decides.

    Raises:
        UsageError: The bank has no such event.
    """
    rng = keys.rng("sound", event, seed)
    return bank(event, rng.randrange(VARIANTS)).cut(samples, rng)


def bank(event: str, variant: int) -> Loop:
    """One variant of an event as a loop of 8 s.

    Raises:
        UsageError: The bank has no such event.
    """
    if event not in RECIPES:
        raise UsageError(
            f"there is no sound {event!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(RECIPES)}",
        )
    return _made(event, variant)


@cache
def _made(event: str, variant: int) -> Loop:
    """Made when it is first heard: all of them take as long as two dozen clips."""
    n = round(LOOP_SECONDS * SAMPLE_RATE)
    return make_loop(RECIPES[event](keys.numpy_rng("sound bank", SOUND_SOURCE, event, variant), n))
