"""``voxmem demo`` as a user runs it, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CompletedDemo:
    """What the command left, and how it went."""

    root: Path
    code: int
    out: str
    err: str
    seconds: float


def command(root: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "voxmem.cli", "demo", "--root", str(root), *options]


def plain_environment() -> dict[str, str]:
    """The environment of a user who has set nothing of Prefect's."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}


def demo(root: Path, *options: str) -> CompletedDemo:
    """Runs it to its end."""
    begun = time.monotonic()
    done = subprocess.run(
        command(root, *options),
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return CompletedDemo(root, done.returncode, done.stdout, done.stderr, time.monotonic() - begun)
