"""A small release, built once, and a copy of it for tests that run systems over it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.small_build import SMALL, build, rows_of
from voxmem.evaluate.items import ReleaseRows
from voxmem.store.root import open_root


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    """Two questions a cell at 2K and 4K, spoken in tones."""
    folder = tmp_path_factory.mktemp("release")
    return rows_of(folder, build(folder, SMALL))


@pytest.fixture
def fresh(rows: ReleaseRows, tmp_path: Path) -> ReleaseRows:
    """The release with no responses yet: its rows and clips are shared, its tables are empty."""
    (tmp_path / "objects").symlink_to(rows.root.path / "objects")
    copied = ReleaseRows(open_root(tmp_path), rows.release)
    for name in ("questions", "histories", "sessions", "clips"):
        copied.__dict__[name] = getattr(rows, name)
    return copied


@pytest.fixture
def own_release(rows: ReleaseRows, tmp_path: Path) -> ReleaseRows:
    """The release in a root of its own, for other processes."""
    folder = tmp_path / "root"
    shutil.copytree(rows.root.path, folder, copy_function=os.link)
    return ReleaseRows(open_root(folder), rows.release)
