"""Copies on the local disk of what is kept elsewhere: bounded, shared by all processes and roots.

Bytes are kept under their SHA-256 and verified whenever they are used; what is known under a name
and a version is a small file with that hash. What was used least recently goes first; what was
handed out as a file stays where it is while the process lives (:mod:`voxmem.store.lent`).
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import math
import os
import re
import threading
from pathlib import Path

from voxmem.errors import StoreError, UsageError
from voxmem.store import files
from voxmem.store.cache import writable_cache
from voxmem.store.lent import lend

LIMIT = "VOXMEM_CACHE_GB"
"""Environment variable with the size that the copies may have together, in 10⁹ bytes."""

_DEFAULT_GB = 20.0
_UNIT = 2**16
"""Growth is counted in units of this many bytes, for all processes in one file."""
_ROOM = 0.9
"""The share of the limit that is left after copies were dropped."""
_GROWTH = 0.05
"""The share of the limit that may come before they are counted again."""

_SHA256 = re.compile(r"[0-9a-f]{64}")

log = logging.getLogger(__name__)


def open_copies() -> Copies:
    """The copies of this machine; of this process alone where the cache cannot be written.

    Raises:
        UsageError: the limit is no number.
    """
    text = os.environ.get(LIMIT) or str(_DEFAULT_GB)
    try:
        limit = float(text) * 1e9
    except ValueError:
        limit = math.nan
    if math.isnan(limit):
        raise UsageError(
            f"{LIMIT} is {text!r}, which is no number", remedy="set it to gigabytes, such as 20"
        )
    return Copies(writable_cache("store"), limit)


class Copies:
    """Any number of threads and processes may use one folder.

    Args:
        folder: It need not exist yet.
        limit: Bytes, or infinity; 0 keeps nothing but what must be a file, until the process ends.
    """

    def __init__(self, folder: Path, limit: float) -> None:
        self.folder = folder
        self._limit = limit
        self._lock = threading.Lock()
        self._grown = 0
        self._complained = False

    def read(self, sha: str) -> bytes | None:
        """The bytes of a copy; ``None`` if there is none, or if it is damaged, which removes it."""
        path = self._path(sha)
        try:
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == sha:
                os.utime(path)
                return data
            path.unlink(missing_ok=True)
        except OSError:
            pass  # a copy that cannot be read is as good as none
        return None

    def has(self, sha: str) -> bool:
        """Whether there is a copy, intact or not."""
        return os.path.isfile(self._path(sha))

    def keep(self, sha: str, data: bytes) -> None:
        """Keeps a copy if there is room for one. A disk that is full is no error: what is read is
        then fetched each time, and a warning says so once."""
        if self._limit <= 0:
            return
        try:
            self._write(self._path(sha), data)
        except StoreError as error:
            self._complain(error)

    def file(self, sha: str, data: bytes) -> Path:
        """A file with these bytes, which stays while this process lives.

        Raises:
            StoreError: the disk is full or cannot be written.
        """
        return lend(self.folder, self._path(sha), sha, data)

    def known(self, name: str, version: str) -> str | None:
        """The SHA-256 of what a version of a name holds, if it was noted."""
        path = self._note(name, version)
        try:
            text = path.read_text("ascii")
            os.utime(path)
        except (OSError, ValueError):
            return None
        return text if _SHA256.fullmatch(text) else None

    def note(self, name: str, version: str, sha: str) -> None:
        """Notes what a version of a name holds."""
        if self._limit <= 0 or not version:
            return
        try:
            self._write(self._note(name, version), sha.encode())
        except StoreError as error:
            self._complain(error)

    def _path(self, sha: str) -> Path:
        return self.folder / "bytes" / sha[:2] / sha[2:]

    def _note(self, name: str, version: str) -> Path:
        under = hashlib.sha256(f"{name}\n{version}".encode()).hexdigest()
        return self.folder / "names" / under[:2] / under[2:]

    def _complain(self, error: StoreError) -> None:
        with self._lock:
            first, self._complained = not self._complained, True
        if first:
            log.warning("reading without a cache: %s", error)

    def _write(self, path: Path, data: bytes) -> None:
        files.write_whole(self.folder, path, data, durable=False)
        with self._lock:
            units, self._grown = divmod(self._grown + len(data), _UNIT)
        if units:
            self._count(units)

    def _count(self, units: int) -> None:
        """One byte in a shared file for each unit that all processes wrote; then it is time."""
        grown = self.folder / "grown"
        if (files.append(grown, b"+" * units) + units) * _UNIT <= self._limit * _GROWTH:
            return
        with files.os_errors("write", grown), grown.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # another process is at it
            file.truncate(0)
            self._drop()

    def _drop(self) -> None:
        files.sweep(self.folder)
        found = []
        for path in self.folder.glob("*/??/*"):
            try:
                about = path.stat()
            except FileNotFoundError:
                continue  # dropped by another process
            found.append((about.st_mtime_ns, about.st_size, path))
        size = sum(each for _, each, _ in found)
        for _, each, path in sorted(found):
            if size <= self._limit * _ROOM:
                return
            path.unlink(missing_ok=True)
            size -= each
