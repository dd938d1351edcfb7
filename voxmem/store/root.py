"""One root: everything a benchmark keeps, behind one door."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel

from voxmem.errors import InputError, StoreError, UsageError
from voxmem.store import files
from voxmem.store.blobs import Blobs, Quiet
from voxmem.store.folder import FolderBlobs
from voxmem.store.objects import StoredObjects
from voxmem.store.rows import Ledger
from voxmem.store.s3.address import is_bucket
from voxmem.store.tables import Tables

_OWN = frozenset({"objects", "tables", "ledger", "releases"})


class Root:
    """A root in a folder or in a bucket. Opening it writes nothing.

    It can be pickled: the other process opens it again by its URI.

    Attributes:
        blobs: What holds it.
        objects: Content-addressed bytes.
        tables: Parquet parts.
    """

    def __init__(self, blobs: Blobs) -> None:
        self.blobs = blobs
        self.objects = StoredObjects(blobs)
        self.tables = Tables(blobs)

    def __reduce__(self) -> tuple[object, ...]:
        return (open_root, (self.uri,))

    @property
    def uri(self) -> str:
        """How people name it: an absolute path, or ``s3://bucket/prefix``."""
        return self.blobs.uri

    @property
    def path(self) -> Path:
        """The folder, absolute.

        Raises:
            UsageError: the root is in a bucket.
        """
        if not isinstance(self.blobs, FolderBlobs):
            raise UsageError(
                "this needs a root in a folder", item=self.uri, remedy="name a folder with --root"
            )
        return self.blobs.folder

    def ledger(self, name: str) -> Ledger:
        """The ledger of one kind of paid call ("evaluate", "judge", …)."""
        return Ledger(self.blobs, name)

    @contextmanager
    def locked(self, name: str, *, item: str, stage: str, wait: float = 0.0) -> Iterator[None]:
        """Holds a name for the block, against all other processes. A process that ends, however it
        ends, gives it back: in a bucket within a minute. It saves double work, and no more than
        that: equal names mean equal bytes, whoever writes them.

        Args:
            item: What the name stands for, for whoever comes second.
            wait: Seconds to wait for whoever holds it.

        Raises:
            UsageError: Another process holds it.
            StoreError: the root cannot be written.
        """
        with self.blobs.locked(files.checked_name(name, "lock"), wait=wait) as held:
            if not held:
                raise UsageError(
                    "another process is at it",
                    item=item,
                    stage=stage,
                    remedy="wait until it has ended; what it has done is kept",
                )
            yield

    def working(self) -> AbstractContextManager[None]:
        """Says, for the block, that a run is at work here: nothing is collected meanwhile."""
        return self.blobs.working()

    def quiet(self) -> AbstractContextManager[Quiet | None]:
        """Keeps runs from starting for the block; ``None``: one is at work."""
        return self.blobs.quiet()

    def releases(self) -> list[str]:
        """The ids of the releases in this root, in ascending order."""
        ids = self.blobs.names("releases")
        there = self.blobs.sizes(map(self.release_name, ids))
        return [each for each in ids if self.release_name(each) in there]

    def release_name(self, release_id: str) -> str:
        """The name of a release's manifest, whether or not it is there."""
        return f"releases/{files.checked_name(release_id, 'release')}/release.json"

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
        self.blobs.write(_document(name), f"{text}\n".encode())

    def get_json(self, name: str) -> Any:
        """The document ``name``, or ``None`` if there is none.

        Raises:
            InputError: the file is not JSON.
        """
        data = self.blobs.read(_document(name))
        if data is None:
            return None
        try:
            return json.loads(data)
        except ValueError as error:
            raise InputError(
                f"this document is not JSON: {error}",
                item=name,
                remedy=f"delete {self.blobs.where(_document(name))}; the next run writes it again",
            ) from error

    def check_writable(self) -> None:
        """Find out now, not after an hour's work, whether the root can be written.

        Writes and removes a little, and sweeps the leftovers of killed processes.

        Raises:
            StoreError: read-only, full, a file in the way, no such bucket, a wrong key; one line,
                with what to do.
        """
        self.blobs.check_writable()


def open_root(uri: str | Path) -> Root:
    """The root at a folder (a path or a ``file://`` URI), which need not exist yet, or in a bucket
    (``s3://bucket/prefix``), which must.

    Raises:
        UsageError: the URI names another kind of root, or no bucket.
        MissingExtra: it is in a bucket, and the package for that is not installed.
        StoreError: the path is a file.
    """
    path = folder_of(uri)
    if path is None:
        from voxmem.store.s3 import open_bucket

        return Root(open_bucket(str(uri)))
    with files.os_errors("open", path):
        if path.exists() and not path.is_dir():
            raise StoreError(
                f"cannot open {path}: it is a file", remedy="choose a folder as the root"
            )
    return Root(FolderBlobs(path))


def folder_of(uri: str | Path) -> Path | None:
    """The folder of a root, absolute, whatever is there; ``None``: the root is in a bucket.

    Raises:
        UsageError: the URI names another kind of root, or nothing.
    """
    if not str(uri).strip():
        raise UsageError("the root is empty", remedy="name a folder with --root")
    if is_bucket(uri):
        return None
    path = _path_of(str(uri))
    with files.os_errors("open", path):
        return path.expanduser().absolute()


def _document(name: str) -> str:
    steps = [files.checked_name(step, "document") for step in name.split("/")]
    if steps[0] in _OWN:
        raise InputError(f"{name!r} cannot name a document: {steps[0]} is the store's own")
    return f"{name}.json"


def _path_of(uri: str) -> Path:
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", uri):
        return Path(uri)
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        # What is before an @ may hold a password.
        raise UsageError(
            f"cannot open {re.sub('//.*@', '//…@', uri)}: a root is a folder, or s3://bucket/prefix",
            remedy="choose a folder as the root",
        )
    return Path(unquote(parts.path))
