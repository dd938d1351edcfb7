"""A prefix in a bucket: see :class:`voxmem.store.blobs.Blobs`."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from voxmem.store.blobs import Entry, Quiet
from voxmem.store.copies import Copies
from voxmem.store.s3.address import Address
from voxmem.store.s3.client import Client
from voxmem.store.s3.complaints import UndecidedError
from voxmem.store.s3.conditions import Conditions
from voxmem.store.s3.copied import Copied
from voxmem.store.s3.leases import Leases
from voxmem.store.s3.listing import Listing
from voxmem.store.s3.transfer import Transfer

_PROBE = bytes(1024)


class S3Blobs:
    """What is read of objects and tables is copied to the local disk.

    Args:
        address: The bucket, which exists, and the prefix, which need not.
        copies: Where copies are kept.
    """

    threads = 16

    def __init__(self, address: Address, copies: Copies) -> None:
        self._address = address
        self._client = client = Client(address)
        self._transfer = Transfer(client)
        self._copied = Copied(client, self._transfer, copies)
        self._listing = Listing(client)
        self._conditions = Conditions(self._transfer)
        self._leases = Leases(self._transfer, self._listing, self.uri)
        self._lock = threading.Lock()
        self._notes: dict[str, list[str]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        from voxmem.store.s3 import open_bucket

        return (open_bucket, (self.uri,))

    @property
    def uri(self) -> str:
        """``s3://bucket/prefix``."""
        return self._address.uri

    def date(self) -> str:
        """The server's time, as its answers say it; see :meth:`Client.date`."""
        return self._client.date()

    def check_writable(self) -> None:
        """Writes, reads and removes a kibibyte, and drops pieces that were left of uploads."""
        name = f".probe/{uuid.uuid4().hex}"
        self._transfer.put(name, _PROBE)
        self._transfer.get(name)
        self._transfer.remove(name)
        self._transfer.sweep()

    def read(self, name: str, *, fresh: bool = False) -> bytes | None:
        """See :meth:`Blobs.read`."""
        if not fresh:
            return self._copied.read(name)
        found = self._transfer.get(name)
        return None if found is None else found[0]

    def write(self, name: str, data: bytes, *, durable: bool = True) -> None:
        """See :meth:`Blobs.write`: always durable."""
        self._transfer.put(name, data)
        self._copied.written(name, data)

    def create(self, name: str, data: bytes) -> bytes:
        """See :meth:`Blobs.create`. Where the server decides who is first it is one request;
        otherwise what is there is read before and after."""
        if not self._conditions.atomic:
            if (kept := self.read(name, fresh=True)) is None:
                self._transfer.put(name, data)
                kept = self.read(name, fresh=True)
            return data if kept is None else kept
        return self._client.patiently("write", name, lambda: self._decided(name, data))

    def holds(self, name: str, data: bytes) -> bool:
        """See :meth:`Blobs.holds`: size and ETag. An object that this machine has no copy of is
        most likely new, and sending it is one request instead of two."""
        if not self._copied.likely(name):
            return False
        version = self._transfer.head(name)
        return version is not None and self._transfer.same(version, data)

    def size(self, name: str) -> int | None:
        """See :meth:`Blobs.size`."""
        version = self._transfer.head(name)
        return None if version is None else version.size

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """See :meth:`Blobs.sizes`."""
        return self._listing.sizes(names, self.size)

    def remove(self, name: str) -> None:
        """See :meth:`Blobs.remove`."""
        self._transfer.remove(name)

    def names(self, prefix: str) -> list[str]:
        """See :meth:`Blobs.names`."""
        return self._listing.names(prefix)

    def walk(self, prefix: str = "") -> Iterator[Entry]:
        """See :meth:`Blobs.walk`."""
        return self._listing.walk(prefix)

    def note(self, name: str) -> int:
        """See :meth:`Blobs.note`: an object for each note. It is listed before it is added to, so
        that :meth:`forget` need not ask again."""
        before = [entry.name for entry in self._listing.below(name)]
        own = f"{name}/{uuid.uuid4().hex}"
        self._transfer.put(own, b"")
        with self._lock:
            self._notes[name] = [*before, own]
        return len(before)

    def noted(self, prefix: str) -> list[str]:
        """See :meth:`Blobs.noted`."""
        return self._listing.names(prefix)

    def forget(self, name: str) -> None:
        """See :meth:`Blobs.forget`."""
        with self._lock:
            known = self._notes.pop(name, None)
        if known is None:
            known = [entry.name for entry in self._listing.below(name)]
        for each in known:
            self._transfer.remove(each)

    def local(self, name: str) -> Path | None:
        """See :meth:`Blobs.local`: a copy."""
        return self._copied.file(name)

    def where(self, name: str) -> str:
        """See :meth:`Blobs.where`."""
        return self._address.where(name)

    def locked(self, name: str, *, wait: float = 0.0) -> AbstractContextManager[bool]:
        """See :meth:`Blobs.locked`."""
        return self._leases.locked(name, wait)

    def working(self) -> AbstractContextManager[None]:
        """See :meth:`Blobs.working`."""
        return self._leases.working()

    def quiet(self) -> AbstractContextManager[Quiet | None]:
        """See :meth:`Blobs.quiet`."""
        return self._leases.quiet()

    def _decided(self, name: str, data: bytes) -> bytes:
        if self._transfer.put_new(name, data):
            return data
        kept = self.read(name, fresh=True)
        if kept is None:  # another is just about to be first
            raise UndecidedError
        return kept
