"""The walk, once: from nothing to a benchmark that re-evaluates itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.postgres import postgres_programs
from tests.cluster.walk import walk
from tests.real_demo import CompletedDemo

pytestmark = [pytest.mark.slow, pytest.mark.cluster, pytest.mark.s3, pytest.mark.timeout(1800)]


@pytest.fixture(autouse=True)
def postgres() -> None:
    try:
        postgres_programs()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_a_cluster_builds_and_keeps_a_benchmark_up_to_date(
    tmp_path: Path, real_demo: CompletedDemo
) -> None:
    steps = dict(walk(tmp_path / "cluster", reference=real_demo.root))
    assert list(steps)[-3:] == ["secrets", "the release", "dashboard"], steps
