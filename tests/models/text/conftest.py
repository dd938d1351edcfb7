"""Both protocols, so that every behaviour is tested with each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.models.text.bench import Bench


@pytest.fixture(params=["openai", "gemini"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(request.param, tmp_path, stack)
