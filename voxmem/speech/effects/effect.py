"""What an effect is, and where effects are found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple, Protocol

from voxmem.errors import UsageError
from voxmem.records import ClipSpec
from voxmem.speech.engine import Audio, SpeechEngine


class Scene(NamedTuple):
    """What an effect knows of the clip that it is on."""

    spec: ClipSpec
    seed: int
    engine: SpeechEngine


class Effect(Protocol):
    """Changes audio. The same arguments give the same samples."""

    @property
    def applied(self) -> str:
        """What it does, exactly enough to be a part of a clip's key."""
        ...

    @property
    def place(self) -> Literal["speech", "channel"]:
        """*speech*: on the speech alone, before its edges and any sound behind it, alike on a
        clip's stem and pair, at any length. *channel*: on all that a listener gets, at equal
        length; the stored stem stays without it."""
        ...

    def __call__(self, audio: Audio, scene: Scene) -> Audio:
        """The changed audio, float32 [samples] at 24 kHz.

        Raises:
            MissingExtra: A package is not installed.
        """
        ...


EFFECTS: dict[str, str] = {
    "telephone": "voxmem.speech.effects.telephone:open_telephone",
    "codec": "voxmem.speech.effects.codec:open_codec",
    "room": "voxmem.speech.effects.room:open_room",
    "distance": "voxmem.speech.effects.room:open_distance",
    "overlap": "voxmem.speech.effects.overlap:open_overlap",
}
"""Effect → the function of the text after its colon that opens it."""


@dataclass(frozen=True)
class Effects:
    """The effects of a build, in their order."""

    on_speech: tuple[Effect, ...] = ()
    on_channel: tuple[Effect, ...] = ()

    @property
    def applied(self) -> tuple[str, ...]:
        return tuple(effect.applied for effect in (*self.on_speech, *self.on_channel))


NO_EFFECTS = Effects()


@cache
def open_effects(specs: tuple[str, ...]) -> Effects:
    """The effects of those specs, such as ``("room:small", "telephone")``.

    Raises:
        UsageError: There is no such effect, it does not take what follows the colon, or one is
            named twice.
        MissingExtra: A package is not installed.
    """
    effects = [_open(spec) for spec in specs]
    for at, spec in enumerate(specs):
        if spec in specs[:at]:
            raise wrong(f"the effect {spec!r} is named twice", "name it once")
    return Effects(
        tuple(effect for effect in effects if effect.place == "speech"),
        tuple(effect for effect in effects if effect.place == "channel"),
    )


def _open(spec: str) -> Effect:
    kind, _, argument = spec.partition(":")
    if kind not in EFFECTS:
        raise wrong(f"there is no effect {kind!r}", f"choose one of: {', '.join(sorted(EFFECTS))}")
    module, _, attribute = EFFECTS[kind].partition(":")
    factory: Callable[[str], Effect] = getattr(import_module(module), attribute)
    return factory(argument)


def wrong(message: str, remedy: str) -> UsageError:
    """The error of a spec that cannot be followed."""
    return UsageError(message, stage="speak", remedy=remedy)


def number(spec: str, argument: str, low: float, high: float) -> float:
    """The number that an effect takes.

    Raises:
        UsageError: It is none, or out of its range.
    """
    try:
        value = float(argument)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise wrong(
            f"{spec} takes a number from {low:g} to {high:g}, not {argument!r}",
            f"say for example {spec}:{(low + high) / 2:g}",
        )
    return value
