"""A server in memory that a bootstrap talks to, and where one of our own may be started."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from flows.cluster import bootstrap as module
from flows.cluster.login import LOGIN
from tests.flows.cluster.fake_server import FakeServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    found = FakeServer()
    monkeypatch.setattr(module, "client", found.opened)
    for name in ("ROOT", "RELEASE", "LIMIT_USD", "HOME", "NOTIFY", "MODELS"):
        monkeypatch.delenv(f"VOXMEM_{name}", raising=False)
    return found


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Prefect's, in an environment without a login, database or address of a server."""
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    for name in (LOGIN, "PREFECT_SERVER_DATABASE_CONNECTION_URL", "PREFECT_SERVER_UI_API_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def port() -> int:
    """One that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
    return found
