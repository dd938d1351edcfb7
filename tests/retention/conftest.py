"""Roots whose every name is old enough to be removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from voxmem.store.root import Root, open_root

LONG_AGO = 1_600_000_000


def aged(root: Root) -> Root:
    """The same root, whose files were all written years ago."""
    for path in root.path.rglob("*"):
        if path.is_file():
            os.utime(path, (LONG_AGO, LONG_AGO))
    return root


def names(root: Root) -> set[str]:
    return {entry.name for entry in root.blobs.walk()}


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return open_root(tmp_path / "root")
