"""Cuts the items of a run into shards of about equal seconds, for an engine to schedule."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.models.entry import ModelEntry

SECONDS = 240.0
"""Of one shard, about: minutes, so that little is waited for again after a fault."""
MOST = 300
"""Shards of a run. Where several processes share a run, some are tried twice: below 500 tasks."""
_FASTER = 60.0
"""Seconds of audio that a model hears in a second, where nothing is known."""
_ANSWER = 3.0
"""Seconds of an answer besides."""


def cut(audio_seconds: Sequence[float], entry: ModelEntry | None) -> list[tuple[int, int]]:
    """Ranges [first, last) of items, in their order: each takes the model about :data:`SECONDS`.

    Args:
        audio_seconds: Of the history of each item.
    """
    concurrency = entry.pace.concurrency if entry else 1
    estimates = [(heard / _FASTER + _ANSWER) / concurrency for heard in audio_seconds]
    size = max(SECONDS, sum(estimates) / MOST)
    shards: list[tuple[int, int]] = []
    first, held = 0, 0.0
    for at, seconds in enumerate(estimates):
        held += seconds
        if held >= size:
            shards.append((first, at + 1))
            first, held = at + 1, 0.0
    if first < len(estimates):
        shards.append((first, len(estimates)))
    return shards
