"""The bank of background sounds: each event in a few variants, made once a process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.sounds.loop import Loop, make_loop
from voxmem.speech.sounds.recipes import RECIPES
from voxmem.speech.sounds.source import Background, SoundSource

SOUND_LICENCE = "Apache-2.0, synthesised by voxmem"
SOUND_SOURCE = "voxmem bank 4"
"""Name and revision of the bank; changes whenever a sound may change."""
VARIANTS = 4
LOOP_SECONDS = 6.0


@dataclass(frozen=True)
class Bank:
    """The embedded source of sounds."""

    variants: tuple[int, ...] = tuple(range(VARIANTS))
    name: str = "bank"
    revision: str = SOUND_SOURCE
    events: tuple[str, ...] = tuple(RECIPES)

    def licences(self, event: str) -> Mapping[str, str]:
        return {f"{event} {variant}": SOUND_LICENCE for variant in self.variants}

    def half(self, which: Literal[0, 1]) -> SoundSource:
        return Bank(self.variants[which::2])

    def background(self, event: str, samples: int, seed: int = 0) -> Background:
        audio = background(event, samples, seed, self.variants)
        return Background(audio, SOUND_SOURCE, SOUND_LICENCE)


def open_bank(argument: str) -> SoundSource:
    """The bank, which takes nothing after its colon."""
    return Bank()


def background(
    event: str, samples: int, seed: int = 0, variants: Sequence[int] = range(VARIANTS)
) -> Audio:
    """``samples`` of the event, from a place of one of these variants that ``seed`` decides.

    Raises:
        UsageError: The bank has no such event.
    """
    rng = keys.rng("sound", event, seed)
    return bank(event, rng.choice(variants)).cut(samples, rng)


def bank(event: str, variant: int) -> Loop:
    """One variant of an event as a loop of 6 s.

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
    """Made when it is first heard: all of them take as long as some dozens of clips."""
    n = round(LOOP_SECONDS * SAMPLE_RATE)
    return make_loop(RECIPES[event](keys.numpy_rng("sound bank", SOUND_SOURCE, event, variant), n))
