"""Work that one process at a time does, and whose turn it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from voxmem import interruption
from voxmem.store.root import Root

PATIENCE = 4 * 3600.0
"""Seconds that a run on a worker waits for another that is at the same work, at most."""
_SLICE = 2.0
"""Seconds between two looks at whether somebody wants us to end."""


@contextmanager
def turn(root: Root, work: str, patience: float = 0.0) -> Iterator[bool]:
    """Keeps other processes from some work for the block; ``False``: one is at it.

    Args:
        work: Its name: equal work has an equal one.
        patience: Seconds to wait for that process, unless somebody wants this one to end.
    """
    until = time.monotonic() + patience
    while True:
        left = max(until - time.monotonic(), 0.0)
        with root.blobs.locked(work, wait=min(left, _SLICE)) as mine:
            if mine or left <= _SLICE or interruption.requested():
                yield mine
                return
