"""Files that others name: only those within the folder that they are said to be in."""

from __future__ import annotations

import os
from pathlib import Path


def within(folder: Path, name: str) -> Path | None:
    """Where the file of that name is, absolute and without links; none if it leaves the folder, by
    its name or by a link."""
    try:
        path = Path(os.path.realpath(folder / name))
    except ValueError:  # a NUL in the name
        return None
    return path if path.is_relative_to(os.path.realpath(folder)) else None
