"""One lease: a marker in a bucket that its holder renews."""

from __future__ import annotations

import time
import uuid

from voxmem.errors import StoreError
from voxmem.store.s3.transfer import Transfer

LIVE_SECONDS = 60.0
"""So long after it was written a marker is live, by the server's clock."""
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""It goes on while the machine sleeps: on Linux ``CLOCK_MONOTONIC`` does not, elsewhere it does."""


class Lease:
    """A marker that is written when this is made.

    Attributes:
        marker: Its name.
    """

    def __init__(self, transfer: Transfer, folder: str) -> None:
        self.marker = f"{folder}/{uuid.uuid4().hex}"
        self._transfer = transfer
        self._written = now()
        transfer.put(self.marker, b"")

    @property
    def sure(self) -> bool:
        """Whether it was live all the time since it was made, and is for half its time yet: what
        is asked of the server now arrives while others give way. Once unsure, it stays so."""
        return now() - self._written < LIVE_SECONDS / 2

    def renew(self) -> None:
        """Writes it again.

        Raises:
            StoreError: the server is away.
        """
        begun, sure = now(), self.sure
        self._transfer.put(self.marker, b"")
        if sure:  # otherwise it may have run out, and others may have begun
            self._written = begun

    def end(self) -> None:
        """Gives it back.

        Raises:
            StoreError: the server is away; it runs out by itself.
        """
        self._transfer.remove(self.marker)


class LeasedQuiet:
    """See :class:`~voxmem.store.blobs.Quiet`. A removal that was on its way when the machine fell
    asleep may arrive when it wakes: of each thread one at most.

    Args:
        uri: Of the root, for errors.
    """

    def __init__(self, transfer: Transfer, lease: Lease, uri: str) -> None:
        self._transfer, self._lease, self._uri = transfer, lease, uri

    def check(self) -> None:
        """See :meth:`Quiet.check`."""
        if not self._lease.sure:
            raise StoreError(
                "this process slept, or was cut off from the store, for so long that others may be "
                "at work",
                item=self._uri,
                stage="gc",
                remedy="run gc again; what was removed stays removed",
            )

    def remove(self, name: str, older_than: float) -> bool:
        """See :meth:`Quiet.remove`."""
        age = self._transfer.age(name)
        if age is None or age < older_than:
            return False
        self._transfer.remove(name, before=self.check)
        return True


def now() -> float:
    """Seconds since some moment, by the clock of this machine; also those that it slept."""
    return time.clock_gettime(_CLOCK)
