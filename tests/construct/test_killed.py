"""A process that is killed, between stages and inside one: the next one ends as an undisturbed
one does, and does nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.construct.built import Built, files
from tests.small_build import TEXT, build

pytestmark = pytest.mark.slow

BUILD = """
import os, signal, sys
from pathlib import Path
from tests.small_build import TEXT, build
from voxmem.store.tables import Tables

folder, table, left, when = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
write = Tables.write

def deadly(self, name, *rest):
    global left
    left -= name == table
    if when == "before" and left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, name, *rest)
    if when == "after" and left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Tables.write = deadly
build(folder, TEXT)
"""


def killed(folder: Path, table: str, number: int, when: str) -> dict[str, int]:
    """Builds until the process is killed, before or after it writes so many parts of a table.

    Returns the parts that it left.
    """
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder), table, str(number), when],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    return files(folder / "tables")


def test_between_stages_and_inside_them(unspoken: Built, tmp_path: Path) -> None:
    kept: dict[str, int] = {}
    for table, number, when in (
        ("plan_rejections", 1, "after"),  # inside planning
        ("plans", 1, "after"),
        ("sessions", 1, "after"),  # inside writing: the pool of fillers is to come
        ("sessions", 4, "after"),  # in the midst of the pool
        ("filler_rejections", 1, "before"),  # all of the pool, but not the word that it is whole
        ("allocations", 1, "after"),
        ("fit_notes", 1, "after"),  # inside fitting
        ("family_rejections", 1, "before"),  # inside the family gate
        ("probes", 1, "after"),
    ):
        left = killed(tmp_path, table, number, when)
        assert kept.keys() <= left.keys()
        assert "releases" not in {path.name for path in tmp_path.iterdir()}
        kept = left
    finished = {name: when for name, when in kept.items() if name.startswith("plans/")}
    assert build(tmp_path, TEXT) == unspoken.release
    now = files(tmp_path / "tables")
    assert {name: now[name] for name in finished} == finished
    assert set(now) == set(files(unspoken.folder / "tables"))
