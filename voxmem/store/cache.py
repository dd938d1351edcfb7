"""The cache of this machine: what can be made again, under the hash of what it is made from.

It belongs to no root: a cluster puts it on a local disk, and every root of a machine shares it.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from voxmem.store import files

VARIABLE = "VOXMEM_CACHE"
"""Environment variable with another folder for it."""

_PROBE = bytes(2**20)

log = logging.getLogger(__name__)


def cache_folder(name: str) -> Path:
    """The folder of one kind of thing that is cached. It need not exist yet."""
    own = os.environ.get(VARIABLE)
    if own:
        return Path(own).expanduser().absolute() / name
    shared = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(shared).expanduser().absolute() / "voxmem" / name


def writable_cache(name: str) -> Path:
    """The same folder, which is made; if it cannot be written or its disk is full, one that goes
    when this process ends, and a warning says so once. For what can be done without a cache.

    Raises:
        StoreError: there is no temporary folder either.
    """
    folder = cache_folder(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(_PROBE)
        return folder
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return temporary(os.getpid(), folder.parent, reason) / name


@lru_cache(maxsize=8)
def temporary(process: int, instead_of: Path, reason: str) -> Path:
    """A folder in place of a cache; it goes when this process ends. A warning says so once.

    Raises:
        StoreError: there is no room for it either.
    """
    with files.os_errors("write", instead_of):
        folder = Path(tempfile.mkdtemp(prefix="voxmem-"))
    atexit.register(_remove, folder, process)
    log.warning(
        "the cache %s cannot be written (%s): nothing is kept when this process ends; name another "
        "folder in %s",
        instead_of,
        reason,
        VARIABLE,
    )
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and not when a fork of it ends
        shutil.rmtree(folder, ignore_errors=True)
