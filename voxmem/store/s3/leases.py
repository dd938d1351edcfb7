"""Locks in a bucket, which has none: markers that their holders renew.

A marker is live while the server's clock says that it was written less than a minute ago. Two
that look at once may both give way, and try again; never do both hold a name, unless one slept or
was cut off from the server for a minute. Of a name, even then only work is done twice: equal names
mean equal bytes. Who removes is not safe by that: see :class:`~voxmem.store.s3.lease.LeasedQuiet`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from voxmem.errors import StoreError
from voxmem.store.blobs import Quiet
from voxmem.store.s3.lease import LIVE_SECONDS, Lease, LeasedQuiet
from voxmem.store.s3.listing import Listing
from voxmem.store.s3.transfer import Transfer

RENEW_SECONDS = 15.0
_STALE_SECONDS = 3600.0
_CONTEND_SECONDS = 20.0
_LOCKS, _WORK, _QUIET = ".locks", ".work", ".quiet"
_random = random.SystemRandom()


class Leases:
    """The markers of one root."""

    def __init__(self, transfer: Transfer, listing: Listing, uri: str) -> None:
        self._transfer = transfer
        self._uri = uri
        self._listing = listing

    @contextmanager
    def locked(self, name: str, wait: float) -> Iterator[bool]:
        """See :meth:`voxmem.store.blobs.Blobs.locked`."""
        lease = self._take(f"{_LOCKS}/{name}", wait)
        if lease is None:
            yield False
        else:
            with self._renewed(lease):
                yield True

    @contextmanager
    def working(self) -> Iterator[None]:
        """See :meth:`voxmem.store.blobs.Blobs.working`."""
        while True:
            lease = Lease(self._transfer, _WORK)
            if not self._live(_QUIET):
                break
            lease.end()
            time.sleep(_random.uniform(0.5, 2.0))
        with self._renewed(lease):
            yield

    @contextmanager
    def quiet(self) -> Iterator[Quiet | None]:
        """See :meth:`voxmem.store.blobs.Blobs.quiet`."""
        lease = Lease(self._transfer, _QUIET)
        with self._renewed(lease):
            alone = not self._live(_WORK) and self._live(_QUIET) <= {lease.marker}
            yield LeasedQuiet(self._transfer, lease, self._uri) if alone else None

    def _take(self, folder: str, wait: float) -> Lease | None:
        """The lease that holds a name, or ``None``: another has held it for longer than a look."""
        start, pause = time.monotonic(), 0.2
        seen: set[str] = set()
        while True:
            lease = Lease(self._transfer, folder)
            others = self._live(folder) - {lease.marker}
            if not others:
                return lease
            lease.end()
            waited = time.monotonic() - start
            # Who only tries is gone at the next look; who is still there holds it.
            if waited >= (wait if others & seen else max(wait, _CONTEND_SECONDS)):
                return None
            seen = others
            time.sleep(_random.uniform(pause / 2, pause))
            pause = min(2 * pause, 3.0)

    def _live(self, folder: str) -> set[str]:
        found = list(self._listing.below(folder))
        for entry in found:
            if entry.age > _STALE_SECONDS:
                self._transfer.remove(entry.name)
        return {entry.name for entry in found if entry.age < LIVE_SECONDS}

    @contextmanager
    def _renewed(self, lease: Lease) -> Iterator[None]:
        ended = threading.Event()
        thread = threading.Thread(target=_renew, args=(lease, ended), name="lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            # It runs out by itself where the server is away.
            with suppress(StoreError):
                lease.end()


def _renew(lease: Lease, ended: threading.Event) -> None:
    while not ended.wait(RENEW_SECONDS):
        with suppress(StoreError):
            lease.renew()
