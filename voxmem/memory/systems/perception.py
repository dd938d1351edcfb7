"""What the memory systems hear with."""

from __future__ import annotations

from voxmem.memory.ears import Ears, cache_folder
from voxmem.memory.perceive import PERCEPTION

__all__ = ["PERCEPTION", "open_perception"]


def open_perception() -> Ears:
    """Ears that remember what they heard on this machine. Models are loaded on first use."""
    return Ears(cache_folder())
