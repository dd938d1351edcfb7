"""A request to end in good order: work in flight is finished, nothing new is begun."""

from __future__ import annotations

import threading

_REQUESTED = threading.Event()


def request() -> None:
    """Asks everything in this process to end in good order."""
    _REQUESTED.set()


def requested() -> bool:
    """Whether somebody has asked for it."""
    return _REQUESTED.is_set()
