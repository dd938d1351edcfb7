"""Hearing a told conversation: each recording is perceived once, however often it is told."""

from __future__ import annotations

from pathlib import Path

from voxmem.memory.heard import HeardHistory
from voxmem.models.told import Told


class Ears:
    """What perceives recordings, and remembers them by their SHA-256: clips recur over budgets and
    histories. Safe to use from several threads.

    Args:
        folder: Where perceived clips are kept between runs; ``None``: in memory alone.
        threads: Clips perceived at a time.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 2) -> None:
        raise NotImplementedError

    def hear(self, told: Told) -> HeardHistory:
        """Every turn of a conversation and its query. Text parts are taken as words, with nothing
        else heard.

        Raises:
            InputError: A clip's bytes are no audio, or hold samples that are not numbers.
            MissingExtra: A package of a model that listens is not installed.
        """
        raise NotImplementedError
