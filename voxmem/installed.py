"""Which voxmem this is: its version, and a digest of its code.

Between two releases the version says nothing, and another line of code may mean another benchmark.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from voxmem import __version__

PACKAGES = ("voxmem", "tasks", "flows")


@cache
def installed_version() -> str:
    """Such as ``0.7.0+3f2a91c0``; the same wherever the same code is installed."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            digest.update(file.relative_to(root).as_posix().encode() + b"\0")
            digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:8]}"
