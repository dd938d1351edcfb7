"""Releases by hand and their exports, made once; and programs that see no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.interop.builders import tiny_release
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.official.export import export_official
from voxmem.store.root import Root, open_root

_NO_NETWORK = """
import socket
def refuse(*arguments, **named):
    raise RuntimeError("this test opens no connection")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
"""


@dataclass(frozen=True)
class Exported:
    """A release and its export. Neither is to be written to."""

    rows: ReleaseRows
    out: Path
    counts: dict[str, int]

    @property
    def files(self) -> list[Path]:
        return sorted((self.out / "data").glob("*/*.parquet"))


def export(folder: Path, *, spoken: bool) -> Exported:
    rows = tiny_release(open_root(folder / "root"), spoken=spoken)
    out = folder / "out"
    return Exported(rows, out, export_official(rows, out))


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return export(tmp_path_factory.mktemp("spoken"), spoken=True)


@pytest.fixture(scope="session")
def text_only(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return export(tmp_path_factory.mktemp("text"), spoken=False)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return open_root(tmp_path / "root")


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Runs a Python program that can open no connection; what it prints last is JSON."""
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(home),
        "HF_DATASETS_CACHE": str(home / "datasets"),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
        "CROISSANT_CACHE": str(home / "croissant"),
    }

    def run(program: str, *arguments: object) -> Any:
        done = subprocess.run(
            [sys.executable, "-c", _NO_NETWORK + program, *map(str, arguments)],
            env=environment,
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run
