"""Bytes under their SHA-256: stored once, verified whenever they are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from voxmem.errors import CorruptObject, InputError
from voxmem.store import files

_SHA256 = re.compile(r"[0-9a-f]{64}")
_EMPTY = hashlib.sha256(b"").hexdigest()


class Objects(Protocol):
    """Content-addressed bytes. Nothing here says whether a folder or a bucket holds them."""

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


class FolderObjects:
    """Objects as the files ``objects/ab/cdef…`` of a folder.

    Safe for any number of threads and processes: equal names mean equal bytes, and a file
    appears whole or not at all.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = root / "objects"

    def put(self, data: bytes) -> str:
        """See :meth:`Objects.put`. A corrupt or cut object under the same name is healed."""
        sha = hashlib.sha256(data).hexdigest()
        path = self._path(sha)
        # What is there is compared byte by byte: reading a clip costs far less than making it.
        if files.read_or_none(path) != data:
            # Not fsynced: a power cut in a store of some 100,000 small files may cost the last
            # few, and a cut file is found by its hash and made again; waiting for the disk at
            # every clip would cost more than all of the speech.
            files.write_whole(self._root, path, data, durable=False)
        return sha

    def get(self, sha: str) -> bytes:
        """See :meth:`Objects.get`."""
        path = self._path(sha)
        data = files.read_or_none(path)
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
                remedy=f"delete {path}; the next run makes it again",
            )
        return data

    def exists(self, sha: str) -> bool:
        """See :meth:`Objects.exists`. A file that a power cut left empty does not count."""
        path = self._path(sha)
        with files.os_errors("read", path):
            return path.is_file() and (path.stat().st_size > 0 or sha == _EMPTY)

    def path_or_none(self, sha: str) -> Path | None:
        """See :meth:`Objects.path_or_none`."""
        return self._path(sha) if self.exists(sha) else None

    def iterate(self) -> Iterator[str]:
        """See :meth:`Objects.iterate`."""
        for head in files.folder_names(self._folder):
            for tail in files.folder_names(self._folder / head):
                if _SHA256.fullmatch(head + tail):
                    yield head + tail

    def _path(self, sha: str) -> Path:
        if not _SHA256.fullmatch(sha):
            raise InputError(f"{sha!r} is not a SHA-256 of 64 lower-case hex digits")
        return self._folder / sha[:2] / sha[2:]
