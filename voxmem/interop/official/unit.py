"""A piece of a dataset that is read as a whole: a file, or a shard of a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Unit:
    """Some rows of the published layout, and what is known of them before they are read."""

    name: str
    """For messages."""
    identity: str | None
    """The key of its content, so that it is read once; ``None`` if that cannot be known."""
    folder: Path | None
    """Inside which audio that rows hold as paths is opened; ``None``: nowhere."""
    rows: Callable[[], Iterator[Mapping[str, Any]]]
    """Raises :class:`~voxmem.errors.InputError` where the piece itself is damaged."""
