"""How long the stages of a build took: shown in its report, and no part of any result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from voxmem.store.root import Root


@contextmanager
def timed(
    root: Root, build_id: str, stage: str, clock: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Adds the seconds that the block takes to those of the build's stage, also if it fails: a
    build that goes on after an end has taken the time of both runs."""
    start = clock()
    try:
        yield
    finally:
        seconds = dict(timings(root, build_id))
        seconds[stage] = round(seconds.get(stage, 0.0) + clock() - start, 3)
        root.put_json(_document(build_id), seconds)


def timings(root: Root, build_id: str) -> Mapping[str, float]:
    """Stage → wall seconds of all runs so far; empty if nothing was measured."""
    return root.get_json(_document(build_id)) or {}


def _document(build_id: str) -> str:
    return f"timings/{build_id}"
