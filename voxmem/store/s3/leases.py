"""Locks in a bucket, which has none: markers that their holders renew.

A marker is live while the server's clock says that it was written less than a minute ago. Two
that look at once may both give way, and try again; never do both hold a name, unless one was cut
off from the server for a minute. Even then only work is done twice: equal names mean equal bytes.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from voxmem.errors import StoreError
from voxmem.store.s3.listing import Listing
from voxmem.store.s3.transfer import Transfer

RENEW_SECONDS = 15.0
LIVE_SECONDS = 60.0
_STALE_SECONDS = 3600.0
_CONTEND_SECONDS = 20.0
_LOCKS, _WORK, _QUIET = ".locks", ".work", ".quiet"
_random = random.SystemRandom()


class Leases:
    """The markers of one root."""

    def __init__(self, transfer: Transfer, listing: Listing) -> None:
        self._transfer = transfer
        self._listing = listing

    @contextmanager
    def locked(self, name: str, wait: float) -> Iterator[bool]:
        """See :meth:`voxmem.store.blobs.Blobs.locked`."""
        marker = self._take(f"{_LOCKS}/{name}", wait)
        if marker is None:
            yield False
        else:
            with self._renewed(marker):
                yield True

    @contextmanager
    def working(self) -> Iterator[None]:
        """See :meth:`voxmem.store.blobs.Blobs.working`."""
        while True:
            marker = self._mark(_WORK)
            if not self._live(_QUIET):
                break
            self._transfer.remove(marker)
            time.sleep(_random.uniform(0.5, 2.0))
        with self._renewed(marker):
            yield

    @contextmanager
    def quiet(self) -> Iterator[bool]:
        """See :meth:`voxmem.store.blobs.Blobs.quiet`."""
        marker = self._mark(_QUIET)
        with self._renewed(marker):
            yield not self._live(_WORK) and self._live(_QUIET) <= {marker}

    def _take(self, folder: str, wait: float) -> str | None:
        """The marker that holds a name, or ``None``: another has held it for longer than a look."""
        start, pause = time.monotonic(), 0.2
        seen: set[str] = set()
        while True:
            marker = self._mark(folder)
            others = self._live(folder) - {marker}
            if not others:
                return marker
            self._transfer.remove(marker)
            waited = time.monotonic() - start
            # Who only tries is gone at the next look; who is still there holds it.
            if waited >= (wait if others & seen else max(wait, _CONTEND_SECONDS)):
                return None
            seen = others
            time.sleep(_random.uniform(pause / 2, pause))
            pause = min(2 * pause, 3.0)

    def _mark(self, folder: str) -> str:
        marker = f"{folder}/{uuid.uuid4().hex}"
        self._transfer.put(marker, b"")
        return marker

    def _live(self, folder: str) -> set[str]:
        found = list(self._listing.below(folder))
        for entry in found:
            if entry.age > _STALE_SECONDS:
                self._transfer.remove(entry.name)
        return {entry.name for entry in found if entry.age < LIVE_SECONDS}

    @contextmanager
    def _renewed(self, marker: str) -> Iterator[None]:
        ended = threading.Event()
        thread = threading.Thread(
            target=self._renew, args=(marker, ended), name="lease", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            # It runs out by itself where the server is away.
            with suppress(StoreError):
                self._transfer.remove(marker)

    def _renew(self, marker: str, ended: threading.Event) -> None:
        while not ended.wait(RENEW_SECONDS):
            with suppress(StoreError):
                self._transfer.put(marker, b"")
