"""What all flows have in common: they refuse to run on other code than was deployed."""

from __future__ import annotations

import pytest

from flows import job
from voxmem.errors import EngineError
from voxmem.installed import installed_version


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv(job.EDITING, raising=False)
    monkeypatch.setenv("PREFECT__RUNTIME__DEPLOYMENT__NAME", "demo")
    return monkeypatch


def test_the_version_names_the_code() -> None:
    version, _, digest = installed_version().partition("+")
    assert version
    assert len(digest) == 8
    int(digest, 16)


def test_a_worker_with_the_same_code_runs(deployed: pytest.MonkeyPatch) -> None:
    deployed.setenv("PREFECT__RUNTIME__DEPLOYMENT__VERSION", installed_version())
    job.check_version()


def test_a_worker_with_other_code_refuses(deployed: pytest.MonkeyPatch) -> None:
    deployed.setenv("PREFECT__RUNTIME__DEPLOYMENT__VERSION", "0.0.9+01234567")
    with pytest.raises(EngineError, match=r"demo: this worker has voxmem .*\+.*, .*0\.0\.9\+0123"):
        job.check_version()
    deployed.setenv(job.EDITING, "1")
    job.check_version()


def test_outside_of_a_deployment_nothing_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT__RUNTIME__DEPLOYMENT__VERSION", raising=False)
    job.check_version()
