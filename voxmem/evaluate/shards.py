"""Cuts the items of a run into shards of about equal seconds, for an engine to schedule."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.models.entry import ModelEntry
from voxmem.models.item import Item

SECONDS = 240.0
"""Of one shard, about: minutes, so that little is waited for again after a fault."""
MOST = 300
"""Shards of a run. Where several processes share a run, some are tried twice: below 500 tasks."""
_FASTER = 60.0
"""Seconds of audio that a model hears in a second, where nothing is known."""
_ANSWER = 3.0
"""Seconds of an answer besides."""


def seconds_of(item: Item, entry: ModelEntry | None) -> float:
    """What an item takes a model, about."""
    concurrency = entry.pace.concurrency if entry else 1
    return (item.history.length.audio_seconds / _FASTER + _ANSWER) / concurrency


def cut(items: Sequence[Item], entry: ModelEntry | None) -> list[tuple[int, int]]:
    """Ranges [first, last) of the items, in order: each of about :data:`SECONDS`."""
    estimates = [seconds_of(item, entry) for item in items]
    size = max(SECONDS, sum(estimates) / MOST)
    shards: list[tuple[int, int]] = []
    first, held = 0, 0.0
    for at, seconds in enumerate(estimates):
        if held and held + seconds > size:
            shards.append((first, at))
            first, held = at, 0.0
        held += seconds
    if items:
        shards.append((first, len(items)))
    return shards
