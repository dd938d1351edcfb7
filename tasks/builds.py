"""The build that a task works on: opened once per process, whatever the number of chunks."""

from __future__ import annotations

from functools import lru_cache

from voxmem import construct
from voxmem.build import Build, Chunk
from voxmem.config import BuildConfig
from voxmem.store.root import open_root


@lru_cache(maxsize=2)
def build(root: str, config: BuildConfig) -> Build:
    """A build reads each of its tables once, on first use: after the stage that writes it."""
    return Build(open_root(root), config)


def speak(root: str, config: BuildConfig, chunk: Chunk) -> int:
    """Speaks and checks one chunk, in whatever process; returns the number of clips."""
    return construct.speak(build(root, config), chunk)
