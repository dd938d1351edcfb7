"""A room around the speaker: reflections, and a listener at some distance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.signal import oaconvolve

from voxmem import keys
from voxmem.errors import MissingExtra
from voxmem.speech.effects.effect import Effect, Scene, number, wrong
from voxmem.speech.engine import SAMPLE_RATE, Audio


class Size(NamedTuple):
    """A room of a kind."""

    metres: tuple[float, float, float]
    decay: float
    """Reverberation time (RT60, s)."""
    distance: float
    """From the speaker to the listener (m)."""


ROOMS: dict[str, Size] = {
    "small": Size((3.2, 4.1, 2.5), 0.25, 1.0),
    "medium": Size((6.3, 5.2, 3.0), 0.5, 2.0),
    "large": Size((12.4, 9.3, 4.2), 0.9, 4.0),
}
PLACES = 8
"""Of speaker and listener in a room; a clip's seed decides which."""
_ORDER = 30


@dataclass(frozen=True)
class Room:
    """Image sources in a box (pyroomacoustics); the direct sound keeps the level ``gain`` and its
    time."""

    label: str
    size: Size
    gain: float = 1.0
    place: Literal["speech"] = "speech"

    @property
    def applied(self) -> str:
        return f"{self.label} (pyroomacoustics {_acoustics().__version__})"

    def __call__(self, audio: Audio, scene: Scene) -> Audio:
        echo = response(self.size, keys.seed("room", scene.seed) % PLACES)
        return np.asarray(self.gain * oaconvolve(audio, echo), dtype=np.float32)


def open_room(argument: str) -> Effect:
    """``room:small``, ``room:medium`` or ``room:large``, the direct sound as loud as before.

    Raises:
        UsageError: There is no such room.
        MissingExtra: pyroomacoustics is not installed.
    """
    if argument not in ROOMS:
        raise wrong(f"there is no room {argument!r}", f"choose one of: {', '.join(ROOMS)}")
    _acoustics()
    return Room(f"room {argument}", ROOMS[argument])


def open_distance(argument: str) -> Effect:
    """``distance:2.5``: a listener so many metres away in a room of medium size, the direct sound
    softer by as much as it has spread since one metre.

    Raises:
        UsageError: It is no number from 0.3 to 4.5.
        MissingExtra: pyroomacoustics is not installed.
    """
    metres = number("distance", argument, 0.3, 4.5)
    _acoustics()
    size = ROOMS["medium"]._replace(distance=metres)
    return Room(f"distance {metres:g} m", size, 1.0 / max(1.0, metres))


@cache
def response(size: Size, place: int) -> Audio:
    """The room's answer to a click from its direct sound on, which has height 1: float32
    [samples]."""
    acoustics, metres = _acoustics(), np.array(size.metres)
    rng = keys.numpy_rng("place in a room", size, place)
    middle, turn = metres / 2 + rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.4, 0.4)
    apart = size.distance * np.array([np.cos(turn), np.sin(turn), 0.0])
    absorbed, order = acoustics.inverse_sabine(size.decay, size.metres)
    room = acoustics.ShoeBox(
        metres,
        fs=SAMPLE_RATE,
        materials=acoustics.Material(absorbed),
        max_order=min(order, _ORDER),
    )
    room.add_source(middle - apart / 2)
    room.add_microphone(middle + apart / 2)
    room.compute_rir()
    echo = room.rir[0][0]
    direct = int(np.argmax(np.abs(echo)))
    return np.asarray(echo[direct:] / echo[direct], dtype=np.float32)


def _acoustics() -> Any:
    try:
        import pyroomacoustics
    except ImportError as error:
        raise MissingExtra(
            "the package pyroomacoustics is not installed",
            stage="speak",
            remedy="pip install 'voxmem[rooms]'",
        ) from error
    return pyroomacoustics
