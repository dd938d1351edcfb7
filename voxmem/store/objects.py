"""Bytes under their SHA-256: stored once, verified whenever they are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from voxmem.errors import CorruptObject, InputError
from voxmem.store.blobs import Blobs

_SHA256 = re.compile(r"[0-9a-f]{64}")
_EMPTY = hashlib.sha256(b"").hexdigest()


class Objects(Protocol):
    """Content-addressed bytes. Nothing here says what holds them."""

    def put(self, data: bytes) -> str:
        """Store ``data`` and return its SHA-256 (64 hex digits). Storing twice changes nothing.

        Raises:
            StoreError: the root cannot be written.
        """
        ...

    def get(self, sha: str) -> bytes:
        """The bytes under ``sha``, verified.

        Raises:
            CorruptObject: the stored bytes have another SHA-256.
            InputError: there is no such object.
        """
        ...

    def exists(self, sha: str) -> bool:
        """Whether there is an object under ``sha``. Its bytes are not verified."""
        ...

    def path_or_none(self, sha: str) -> Path | None:
        """A local file with the object's unverified bytes, if the store keeps one."""
        ...

    def iterate(self) -> Iterator[str]:
        """The SHA-256 of every object, in ascending order."""
        ...


class StoredObjects:
    """Objects as ``objects/ab/cdef…`` of a root.

    Safe for any number of threads and processes: equal names mean equal bytes, and an object
    appears whole or not at all.
    """

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def put(self, data: bytes) -> str:
        """See :meth:`Objects.put`. A corrupt or cut object under the same name is healed."""
        sha = hashlib.sha256(data).hexdigest()
        name = object_name(sha)
        # What is there is compared: reading a clip costs far less than making it.
        if not self._blobs.holds(name, data):
            # Not fsynced: a power cut in a store of some 100,000 small files may cost the last
            # few, and a cut file is found by its hash and made again; waiting for the disk at
            # every clip would cost more than all of the speech.
            self._blobs.write(name, data, durable=False)
        return sha

    def get(self, sha: str, *, fresh: bool = False) -> bytes:
        """See :meth:`Objects.get`.

        Args:
            fresh: Whether the bytes must come from the store itself, not from a cache of it.
        """
        name = object_name(sha)
        data = self._blobs.read(name, fresh=fresh)
        if data is None:
            raise InputError(
                "there is no such object in the store",
                item=sha,
                remedy="run again the command that makes it",
            )
        if hashlib.sha256(data).hexdigest() != sha:
            raise CorruptObject(
                "the stored bytes do not have this SHA-256",
                item=sha,
                remedy=f"delete {self._blobs.where(name)}; the next run makes it again",
            )
        return data

    def exists(self, sha: str) -> bool:
        """See :meth:`Objects.exists`. A file that a power cut left empty does not count."""
        return self.size(sha) is not None

    def size(self, sha: str) -> int | None:
        """In bytes; ``None``: there is no such object."""
        size = self._blobs.size(object_name(sha))
        return size if size or sha == _EMPTY else None

    def missing(self, shas: Iterable[str]) -> list[str]:
        """Those that are not there, in the order given: quicker than to ask for each."""
        wanted = list(shas)
        sizes = self._blobs.sizes(map(object_name, wanted))
        there = {name for name, size in sizes.items() if size or name == object_name(_EMPTY)}
        return [sha for sha in wanted if object_name(sha) not in there]

    def path_or_none(self, sha: str) -> Path | None:
        """See :meth:`Objects.path_or_none`."""
        path = self._blobs.local(object_name(sha))
        return path if path and (path.stat().st_size or sha == _EMPTY) else None

    def iterate(self) -> Iterator[str]:
        """See :meth:`Objects.iterate`."""
        for entry in self._blobs.walk("objects"):
            sha = entry.name.removeprefix("objects/").replace("/", "", 1)
            if _SHA256.fullmatch(sha) and object_name(sha) == entry.name:
                yield sha


def object_name(sha: str) -> str:
    """The name of an object in its root.

    Raises:
        InputError: it is no SHA-256.
    """
    if not _SHA256.fullmatch(sha):
        raise InputError(f"{sha!r} is not a SHA-256 of 64 lower-case hex digits")
    return f"objects/{sha[:2]}/{sha[2:]}"
