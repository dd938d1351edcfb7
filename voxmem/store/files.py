"""Whole files or none: how everything in a folder root is written and read.

A file is written under a unique name in ``.partial`` (the same file system) and then moved or
linked to its own name in one step. A process that is killed leaves nothing half-written under a
name that anyone reads; what it leaves in ``.partial`` is swept by a later run.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from voxmem.errors import InputError, StoreError

PARTIAL = ".partial"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")

_ANOTHER_ROOT = "choose another root, or make this folder writable"
_SPACE = "free some space and run the same command again; what is stored already is kept"
_REASONS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", _SPACE),
    errno.EDQUOT: ("the disk quota is used up", _SPACE),
    errno.EROFS: ("the file system is read-only", _ANOTHER_ROOT),
    errno.EACCES: ("permission denied", _ANOTHER_ROOT),
    errno.EPERM: ("the file system does not permit it", _ANOTHER_ROOT),
    errno.EOPNOTSUPP: ("the file system cannot make hard links", "choose a root on a local disk"),
    errno.ENOTDIR: ("a file is where a folder should be", "choose a folder as the root"),
    errno.EEXIST: ("a file is where a folder should be", "choose a folder as the root"),
    errno.EISDIR: ("a folder is where a file should be", "move that folder away"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n) and run again"),
}


@contextmanager
def os_errors(action: str, path: Path) -> Iterator[None]:
    """Turn an ``OSError`` inside the block into a :class:`StoreError` of one line.

    Args:
        action: What failed, as a verb ("write", "read").
        path: The file or folder it failed on.
    """
    try:
        yield
    except OSError as error:
        reason, remedy = _REASONS.get(
            error.errno or 0, (error.strerror or str(error), "check the disk and run again")
        )
        raise StoreError(f"cannot {action} {path}: {reason}", remedy=remedy) from error


def checked_name(name: str, what: str) -> str:
    """``name`` if it is safe as a file name, else :class:`InputError`."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot name a {what}",
            remedy="use letters, digits, '.', '_' and '-', at most 200, starting with no sign",
        )
    return name


def write_whole(root: Path, path: Path, data: bytes, *, durable: bool) -> None:
    """Write ``data`` to ``path``, replacing what is there, in one step; its mode stays.

    Args:
        root: The root folder; it holds the staging folder.
        path: A file under ``root``; missing folders are made.
        durable: Whether to wait until the bytes are on the disk (fsync).

    Raises:
        StoreError: the folder cannot be written.
    """
    with os_errors("write", path), _staged(root, data, durable=durable) as staged:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # nothing to replace, or no modes here
            staged.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(staged, path)
        if durable:
            _sync_folder(path.parent)


def create_whole(root: Path, path: Path, data: bytes) -> bool:
    """Write ``data`` to ``path`` durably unless something is there; whether it was written.

    Of several processes that race, exactly one creates the file.

    Raises:
        StoreError: the folder cannot be written, or the file system has no hard links.
    """
    with os_errors("write", path), _staged(root, data, durable=True) as staged:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(staged, path)
        except FileExistsError:
            return False
        _sync_folder(path.parent)
        return True


def append(path: Path, data: bytes) -> int:
    """Add ``data`` to the end of a file durably, in one step; how many bytes were there before.

    Raises:
        StoreError: the folder cannot be written.
    """
    with os_errors("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            end = file.tell()
        if end == len(data):
            _sync_folder(path.parent)
        return end - len(data)


def read_or_none(path: Path) -> bytes | None:
    """The bytes of a file, or ``None`` if there is no such file.

    Raises:
        StoreError: the file is there but cannot be read.
    """
    with os_errors("read", path):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None


def is_file(path: Path) -> bool:
    """Whether there is such a file.

    Raises:
        StoreError: the folder may not be looked into.
    """
    with os_errors("read", path):
        return path.is_file()


def folder_names(folder: Path) -> list[str]:
    """The names in a folder, sorted; none if there is no such folder."""
    with os_errors("list", folder):
        try:
            return sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return []


def sweep(root: Path, older_than: float = 3600.0) -> int:
    """Remove leftovers of killed processes from the staging folder; how many there were.

    Args:
        older_than: Seconds since the last write; a younger file may belong to a live process.
    """
    limit = time.time() - older_than
    removed = 0
    for name in folder_names(root / PARTIAL):
        leftover = root / PARTIAL / name
        with os_errors("remove", leftover):
            try:
                if leftover.stat().st_mtime <= limit:
                    leftover.unlink()
                    removed += 1
            except FileNotFoundError:
                pass  # its writer, or another sweep, was quicker
    return removed


@contextmanager
def _staged(root: Path, data: bytes, *, durable: bool) -> Iterator[Path]:
    staged = root / PARTIAL / uuid.uuid4().hex
    staged.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(staged, "xb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        yield staged
    finally:
        staged.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
