"""Files that a process was handed out: they stay as long as it lives.

A process has a folder of its own in the cache, with hard links to copies: whoever drops a copy to
make room takes nothing from it. It goes when the process ends. A process that is killed leaves it,
with a lock that nobody holds: the next one that needs such a folder removes it. Where the cache is
full or cannot be written, it is a temporary folder.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import time
import uuid
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from voxmem.errors import StoreError
from voxmem.store import files
from voxmem.store.cache import temporary

_LENT = "lent"
_LOCK = ".lock"
_GRACE_SECONDS = 60.0
"""A younger lock that is free may be one that is just about to be taken."""


def lend(cache: Path, copy: Path, name: str, data: bytes) -> Path:
    """A file with these bytes that stays while this process lives.

    Args:
        cache: The folder of the copies.
        copy: Where a copy of them is, if there is one.
        name: Of the file: equal names mean equal bytes.

    Raises:
        StoreError: neither the cache nor a temporary folder has room for it.
    """
    process = os.getpid()
    try:
        return _lent(_own_folder(cache, process), copy, name, data)
    except StoreError:
        instead = temporary(process, cache, "no file could be made in it")
        return _lent(instead, copy, name, data)


def _lent(folder: Path, copy: Path, name: str, data: bytes) -> Path:
    path = folder / name
    if _holds(path, data):
        return path
    with suppress(OSError):  # it was dropped, or there are no hard links here
        os.link(copy, path)
    if not _holds(path, data):
        files.write_whole(folder, path, data, durable=False)
    return path


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False


@lru_cache(maxsize=64)
def _own_folder(cache: Path, process: int) -> Path:
    folder = cache / _LENT / uuid.uuid4().hex
    with files.os_errors("write", folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder.parent)
        lock = os.open(folder.with_suffix(_LOCK), os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)  # held until the process ends, however it ends
            folder.mkdir()
        except OSError:
            os.close(lock)
            _remove(folder, process)
            raise
    atexit.register(_remove, folder, process)
    return folder


def _sweep(lent: Path) -> None:
    for lock in lent.glob(f"*{_LOCK}"):
        try:
            if time.time() - lock.stat().st_mtime < _GRACE_SECONDS:
                continue
            descriptor = os.open(lock, os.O_RDONLY)
        except OSError:
            continue  # another sweep was quicker, or it is another user's
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(lock.with_suffix(""), os.getpid())
        except BlockingIOError:
            pass  # its process lives
        finally:
            os.close(descriptor)


def _remove(folder: Path, process: int) -> None:
    if os.getpid() != process:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # another user's
        folder.with_suffix(_LOCK).unlink(missing_ok=True)
