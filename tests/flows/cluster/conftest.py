"""A server in memory that a bootstrap talks to."""

from __future__ import annotations

import pytest

from flows.cluster import bootstrap as module
from tests.flows.cluster.fake_server import FakeServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    found = FakeServer()
    monkeypatch.setattr(module, "client", found.opened)
    for name in ("ROOT", "RELEASE", "LIMIT_USD", "HOME", "NOTIFY", "MODELS"):
        monkeypatch.delenv(f"VOXMEM_{name}", raising=False)
    return found
