"""A root that a test re-evaluates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reevaluation.world import World
from tests.reevaluation.world import world as made


@pytest.fixture
def world(own_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return made(own_demo, tmp_path, monkeypatch)
