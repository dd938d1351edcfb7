"""What the memory systems hear with."""

from __future__ import annotations

from voxmem.memory.ears import Ears
from voxmem.quality.hearing.listen import SOUND_MODEL, SPEAKER_MODEL, TRANSCRIBER
from voxmem.store.cache import cache_folder

PERCEPTION: tuple[str, ...] = (TRANSCRIBER, SPEAKER_MODEL, SOUND_MODEL)
"""What decides what is heard: part of every fingerprint."""


def open_perception() -> Ears:
    """Ears that remember what they heard on this machine. Models are loaded on first use."""
    return Ears(cache_folder("heard"))
