"""A folder: every name is a file, which appears whole or not at all."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from voxmem.store import files
from voxmem.store.blobs import Entry

_LOCKS = ".locks"
_WORK = ".work"
_POLL_SECONDS = 0.1
_PROBE = bytes(2**20)


class FolderBlobs:
    """See :class:`~voxmem.store.blobs.Blobs`. Safe for any number of threads and processes.

    Args:
        folder: Absolute; it need not exist yet. Opening it writes nothing.
    """

    threads = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def uri(self) -> str:
        """The absolute path."""
        return str(self.folder)

    def path(self, name: str) -> Path:
        """The file of a name, whether or not it is there."""
        return self.folder / name

    def check_writable(self) -> None:
        """Makes the folder, writes and removes one mebibyte, and sweeps what was left half-written
        by killed processes."""
        probe = self.folder / files.PARTIAL / "probe"
        files.write_whole(self.folder, probe, _PROBE, durable=True)
        with files.os_errors("write", self.folder):
            probe.unlink(missing_ok=True)
        files.sweep(self.folder)

    def read(self, name: str, *, fresh: bool = False) -> bytes | None:
        """See :meth:`Blobs.read`: a folder is always fresh."""
        return files.read_or_none(self.path(name))

    def write(self, name: str, data: bytes, *, durable: bool = True) -> None:
        """See :meth:`Blobs.write`."""
        files.write_whole(self.folder, self.path(name), data, durable=durable)

    def create(self, name: str, data: bytes) -> bytes:
        """See :meth:`Blobs.create`: exactly one writer creates the file."""
        if files.create_whole(self.folder, self.path(name), data):
            return data
        kept = self.read(name)
        # Only a deletion by hand, just now, can leave nothing to read.
        return data if kept is None else kept

    def holds(self, name: str, data: bytes) -> bool:
        """See :meth:`Blobs.holds`: byte by byte."""
        return self.read(name) == data

    def size(self, name: str) -> int | None:
        """See :meth:`Blobs.size`."""
        path = self.path(name)
        with files.os_errors("read", path):
            try:
                found = path.stat()
            except (FileNotFoundError, NotADirectoryError):
                return None
            return found.st_size if stat.S_ISREG(found.st_mode) else None

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """See :meth:`Blobs.sizes`."""
        found = ((name, self.size(name)) for name in names)
        return {name: size for name, size in found if size is not None}

    def remove(self, name: str) -> None:
        """See :meth:`Blobs.remove`."""
        path = self.path(name)
        with files.os_errors("remove", path):
            path.unlink(missing_ok=True)

    def names(self, prefix: str) -> list[str]:
        """See :meth:`Blobs.names`."""
        found = files.folder_names(self.path(prefix))
        return [name for name in found if not name.startswith(".")]

    def walk(self, prefix: str = "") -> Iterator[Entry]:
        """See :meth:`Blobs.walk`."""
        folder = self.path(prefix)
        yield from self._walk(str(folder), prefix.strip("/"), time.time())

    def _walk(self, folder: str, prefix: str, now: float) -> Iterator[Entry]:
        with files.os_errors("list", Path(folder)):
            try:
                with os.scandir(folder) as found:
                    entries = [each for each in found if not each.name.startswith(".")]
            except (FileNotFoundError, NotADirectoryError):
                return
            # A folder sorts as its names do, which go on with a slash.
            kinds = sorted((each.name + "/" * each.is_dir(), each) for each in entries)
        for _, entry in kinds:
            name = f"{prefix}/{entry.name}" if prefix else entry.name
            if entry.is_dir():
                yield from self._walk(entry.path, name, now)
                continue
            with files.os_errors("read", Path(entry.path)):
                try:
                    about = entry.stat()
                except FileNotFoundError:
                    continue  # removed since
            yield Entry(name, about.st_size, now - about.st_mtime)

    def note(self, name: str) -> int:
        """See :meth:`Blobs.note`: a file of one byte for each note."""
        return files.append(self.path(name), b".")

    def noted(self, prefix: str) -> list[str]:
        """See :meth:`Blobs.noted`."""
        # An empty file could not be noted in: nothing began.
        return [name for name in self.names(prefix) if self.size(f"{prefix}/{name}")]

    def forget(self, name: str) -> None:
        """See :meth:`Blobs.forget`."""
        self.remove(name)

    def local(self, name: str) -> Path | None:
        """See :meth:`Blobs.local`: the file itself."""
        return self.path(name) if self.size(name) is not None else None

    def where(self, name: str) -> str:
        """See :meth:`Blobs.where`."""
        return str(self.path(name))

    @contextmanager
    def locked(self, name: str, *, wait: float = 0.0) -> Iterator[bool]:
        """See :meth:`Blobs.locked`."""
        with self._lock_file(name) as descriptor:
            yield _held(descriptor, fcntl.LOCK_EX, wait)

    @contextmanager
    def working(self) -> Iterator[None]:
        """See :meth:`Blobs.working`."""
        with self._lock_file(_WORK) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            yield

    @contextmanager
    def quiet(self) -> Iterator[FolderQuiet | None]:
        """See :meth:`Blobs.quiet`."""
        with self._lock_file(_WORK) as descriptor:
            yield FolderQuiet(self) if _held(descriptor, fcntl.LOCK_EX, 0.0) else None

    @contextmanager
    def _lock_file(self, name: str) -> Iterator[int]:
        path = self.folder / _LOCKS / name
        with files.os_errors("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


class FolderQuiet:
    """See :class:`~voxmem.store.blobs.Quiet`. A file lock is held for as long as its process lives,
    also while that is stopped or its machine sleeps."""

    def __init__(self, blobs: FolderBlobs) -> None:
        self._blobs = blobs

    def check(self) -> None:
        """See :meth:`Quiet.check`: it is."""

    def remove(self, name: str, older_than: float) -> bool:
        """See :meth:`Quiet.remove`."""
        path = self._blobs.path(name)
        with files.os_errors("remove", path):
            try:
                if time.time() - path.stat().st_mtime < older_than:
                    return False
                path.unlink()
            except FileNotFoundError:
                return False
            return True


def _held(descriptor: int, kind: int, wait: float) -> bool:
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_POLL_SECONDS)
