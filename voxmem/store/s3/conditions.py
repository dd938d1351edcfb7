"""Whether a server creates a name for one writer only: some do, some ignore it, some refuse it, and
some decide it too late."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

from voxmem.store.s3.transfer import Transfer

_RACERS = 8


class Conditions:
    """What was found out about one server, once in a process.

    A race cannot prove that a server always has one winner: it finds those that have not. What
    rests on it is only who is given which of two answers to one request that two were paid for.
    """

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._lock = threading.Lock()
        self._atomic: bool | None = None

    @property
    def atomic(self) -> bool:
        """Whether of several writers of a new name exactly one was told that it is the first."""
        with self._lock:
            if self._atomic is None:
                self._atomic = self._race() == 1
            return self._atomic

    def _race(self) -> int:
        name = f".probe/{uuid.uuid4().hex}"
        start = threading.Barrier(_RACERS)

        def write(number: int) -> bool:
            start.wait()
            return self._transfer.put_new(name, b"%d" % number)

        with ThreadPoolExecutor(_RACERS) as pool:
            winners = sum(pool.map(write, range(_RACERS)))
        self._transfer.remove(name)
        return winners
