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
    return f"{__version__}+{digest_of(Path(__file__).parents[1])[:8]}"


def digest_of(root: Path) -> str:
    """SHA-256 of the code below a folder. What a wheel has besides it, the examples of
    ``deployments/``, does not count: it lies elsewhere in a checkout."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            name = file.relative_to(root)
            if "deployments" not in name.parts:
                digest.update(name.as_posix().encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()
