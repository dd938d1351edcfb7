"""What probes may hear of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from voxmem.parallel import Mapper, serial
from voxmem.records import Clip
from voxmem.store.objects import Objects

T = TypeVar("T")


@dataclass(frozen=True)
class Recordings:
    """The stored audio of a release.

    Args:
        clips_of: Session id → the clips of its user turns, in their order.
        objects: Holds the bytes.
        edge_seconds: Of each clip, before its first and after its last word.
        mapper: Spreads the listening; results do not depend on it.
    """

    clips_of: Callable[[str], tuple[Clip, ...]]
    objects: Objects
    edge_seconds: float
    mapper: Mapper = serial

    def each(
        self, measure: Callable[[Objects, float, Clip], T], clips: Iterable[Clip]
    ) -> dict[str, T]:
        """Clip id → what is measured of the clip, each one once."""
        unique = {clip.clip_id: clip for clip in clips}
        rows = self.mapper(partial(measure, self.objects, self.edge_seconds), unique.values())
        return dict(zip(unique, rows, strict=True))
