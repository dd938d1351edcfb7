"""One root: everything a benchmark keeps, behind one door."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel

from voxmem.errors import InputError, StoreError, UsageError
from voxmem.store import files
from voxmem.store.objects import FolderObjects, Objects
from voxmem.store.rows import Ledger
from voxmem.store.tables import Tables

_OWN = frozenset({"objects", "tables", "ledger", "releases"})
_LOCKS = ".locks"
_PROBE = bytes(2**20)


class Root:
    """A folder root. Opening it writes nothing.

    Attributes:
        path: The folder, absolute.
        objects: Content-addressed bytes.
        tables: Parquet parts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.objects: Objects = FolderObjects(path)
        self.tables = Tables(path)

    def ledger(self, name: str) -> Ledger:
        """The ledger of one kind of paid call ("evaluate", "judge", …)."""
        return Ledger(self.path, name)

    @contextmanager
    def locked(self, name: str, *, item: str, stage: str) -> Iterator[None]:
        """Holds a name for the block, against all other processes. A process that ends, however it
        ends, gives it back.

        Args:
            item: What the name stands for, for whoever comes second.

        Raises:
            UsageError: Another process holds it.
            StoreError: the root cannot be written.
        """
        path = self.path / _LOCKS / files.checked_name(name, "lock")
        with files.os_errors("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    "another process is at it",
                    item=item,
                    stage=stage,
                    remedy="wait until it has ended; what it has done is kept",
                ) from None
            yield
        finally:
            os.close(descriptor)

    def releases(self) -> list[str]:
        """The ids of the releases in this root, in ascending order."""
        ids = files.folder_names(self.path / "releases")
        return [each for each in ids if files.is_file(self.release_path(each))]

    def release_path(self, release_id: str) -> Path:
        """The manifest of a release, whether or not it is there."""
        folder = self.path / "releases" / files.checked_name(release_id, "release")
        return folder / "release.json"

    def put_json(self, name: str, value: Any) -> None:
        """Write a small named document, replacing an older one in one step.

        Args:
            name: A path without suffix, below none of the store's own folders ("runs/demo").
            value: A pydantic model, or what JSON can hold.

        Raises:
            InputError: the name is not allowed.
            StoreError: the root cannot be written.
        """
        plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
        text = json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
        files.write_whole(self.path, self._document(name), f"{text}\n".encode(), durable=True)

    def get_json(self, name: str) -> Any:
        """The document ``name``, or ``None`` if there is none.

        Raises:
            InputError: the file is not JSON.
        """
        path = self._document(name)
        data = files.read_or_none(path)
        if data is None:
            return None
        try:
            return json.loads(data)
        except ValueError as error:
            raise InputError(
                f"this document is not JSON: {error}",
                item=name,
                remedy=f"delete {path}; the next run writes it again",
            ) from error

    def check_writable(self) -> None:
        """Find out now, not after an hour's work, whether the root can be written.

        Makes the folder, writes and removes one mebibyte, and sweeps the leftovers of killed
        processes.

        Raises:
            StoreError: read-only, full, a file in the way; one line, with what to do.
        """
        probe = self.path / files.PARTIAL / "probe"
        files.write_whole(self.path, probe, _PROBE, durable=True)
        with files.os_errors("write", self.path):
            probe.unlink(missing_ok=True)
        files.sweep(self.path)

    def _document(self, name: str) -> Path:
        steps = [files.checked_name(step, "document") for step in name.split("/")]
        if steps[0] in _OWN:
            raise InputError(f"{name!r} cannot name a document: {steps[0]} is the store's own")
        return self.path.joinpath(*steps[:-1], f"{steps[-1]}.json")


def open_root(uri: str | Path) -> Root:
    """The root at a folder, as a path or a ``file://`` URI. The folder need not exist yet.

    Raises:
        UsageError: the URI names another kind of root.
        StoreError: the path is a file.
    """
    if not str(uri).strip():
        raise UsageError("the root is empty", remedy="name a folder with --root")
    path = _folder_of(str(uri))
    with files.os_errors("open", path):
        path = path.expanduser().absolute()
        if path.exists() and not path.is_dir():
            raise StoreError(
                f"cannot open {path}: it is a file", remedy="choose a folder as the root"
            )
    return Root(path)


def _folder_of(uri: str) -> Path:
    # A path object has folded the two slashes of a URI into one.
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", uri):
        return Path(uri)
    parts = urlsplit(uri)
    if parts.scheme == "s3":
        raise UsageError(
            f"cannot open {uri}: roots in an object store are not supported yet",
            remedy="choose a folder as the root",
        )
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise UsageError(
            f"cannot open {uri}: a root is a folder",
            remedy="choose a folder as the root",
        )
    return Path(unquote(parts.path))
