"""The build that the mutations start from."""

from __future__ import annotations

import fcntl
import os

import pytest

from tests.mutations.benchmark import Benchmark, make


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Some twenty seconds of work, once: where tests run in several processes, they share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "mutations"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return make(folder / "root")
