"""The cache of this machine: what can be made again, under the hash of what it is made from.

It belongs to no root: a cluster puts it on a local disk, and every root of a machine shares it.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "VOXMEM_CACHE"
"""Environment variable with another folder for it."""


def cache_folder(name: str) -> Path:
    """The folder of one kind of thing that is cached. It need not exist yet."""
    own = os.environ.get(VARIABLE)
    if own:
        return Path(own).expanduser().absolute() / name
    shared = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(shared).expanduser().absolute() / "voxmem" / name
