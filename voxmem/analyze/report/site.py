"""The folder of a report: whole files, a list of what is ours, and nothing else touched."""

from __future__ import annotations

import os
from pathlib import Path

from voxmem.errors import UsageError
from voxmem.store import files

LISTING = ".report-files"
"""The files that reports have written here, one a line."""


class Site:
    """Writes one report over an older one.

    Raises:
        UsageError: The folder holds a page that no report has written.
        StoreError: The folder cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        listed = files.read_or_none(self.folder / LISTING)
        self._old = set((listed or b"").decode("utf-8", "replace").split("\n")) - {""}
        self._new: set[str] = set()
        self._open = False
        if listed is None and files.is_file(self.folder / "index.html"):
            raise UsageError(
                "the folder holds an index.html that is no report of voxmem",
                item=str(self.folder),
                stage="report",
                remedy="choose another folder with --out",
            )

    def write(self, name: str, data: bytes) -> Path:
        """Write one file, unless it is there already with the same bytes."""
        path = self._own(name)
        if files.read_or_none(path) != data:
            files.write_whole(self.folder, path, data, durable=False)
        return path

    def link(self, name: str, source: Path) -> None:
        """Give a file of the store a second name here; a copy where links cannot be made. A file
        of the same size is left as it is."""
        path = self._own(name)
        if not self._linked(source, path):
            # Another file system, or one without links.
            with files.os_errors("read", source):
                data = source.read_bytes()
            files.write_whole(self.folder, path, data, durable=False)

    def _linked(self, source: Path, path: Path) -> bool:
        try:
            os.link(source, path)
        except FileNotFoundError:
            with files.os_errors("write", path):
                path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            with files.os_errors("read", path):
                if path.stat().st_size == source.stat().st_size:
                    return True
                path.unlink()
        except OSError:
            return False
        else:
            return True
        try:
            os.link(source, path)
        except OSError:
            return False
        return True

    def finish(self, page: str, data: bytes) -> Path:
        """Write the first page, then remove what older reports left and this one does not need."""
        path = self.write(page, data)
        for name in sorted(self._old - self._new):
            self._remove(name)
        self._list(self._new)
        with files.os_errors("write", self.folder):
            staging = self.folder / files.PARTIAL
            if staging.is_dir() and not any(staging.iterdir()):
                staging.rmdir()
        return path

    def _own(self, name: str) -> Path:
        """The path of a file, listed as ours before it is written."""
        if not self._open:
            # A run that is killed leaves files behind: a later one must know them as its own.
            self._list(self._old)
            self._open = True
        self._new.add(name)
        return self.folder / name

    def _list(self, names: set[str]) -> None:
        data = "".join(f"{name}\n" for name in sorted(names)).encode()
        files.write_whole(self.folder, self.folder / LISTING, data, durable=False)

    def _remove(self, name: str) -> None:
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            return  # a listing that was tampered with
        with files.os_errors("remove", path):
            path.unlink(missing_ok=True)
            for parent in path.parents:
                if parent == self.folder.resolve() or any(parent.iterdir()):
                    break
                parent.rmdir()
