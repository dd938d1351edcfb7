"""Who runs the tasks of a construction, and that it makes no difference."""

from __future__ import annotations

from collections.abc import Iterator
from operator import neg
from pathlib import Path

import pytest
from pydantic import ValidationError

from flows import runners
from flows.construct import construct
from flows.params import ConstructParams
from flows.runners import clustered
from tasks import dask
from tests.command import Run, fails
from tests.demo_in_tones import DEMO, in_tones
from voxmem.errors import EngineError, MissingExtra, UsageError
from voxmem.store.release import load
from voxmem.store.root import open_root


def test_dask_that_is_not_installed_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "find_spec", lambda name: None)
    with (
        pytest.raises(MissingExtra, match=r"pip install 'voxmem\[dask\]'"),
        clustered(ConstructParams(runner="dask")),
    ):
        pass
    with clustered(ConstructParams()) as same:
        assert same == ConstructParams(), "threads need none of it"


def test_a_scheduler_that_is_not_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(runners.ADDRESS, "nowhere://127.0.0.1:9")
    with (
        pytest.raises(EngineError, match="no Dask scheduler answers at nowhere"),
        clustered(ConstructParams(runner="dask")),
    ):
        pass


@pytest.mark.parametrize("address", ["tcp://u:PLANTED@127.0.0.1:9", "u:PLANTED@127.0.0.1:9"])
def test_a_login_in_the_address_of_the_scheduler_is_refused_and_not_repeated(
    address: str, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    pattern = str(ConstructParams.model_json_schema()["properties"]["dask_address"]["anyOf"])
    assert "^[^@]*$" in pattern, "as the server checks it"
    with pytest.raises(ValidationError) as form:
        ConstructParams(runner="dask", dask_address=address)
    monkeypatch.setenv(runners.ADDRESS, address)
    with (
        pytest.raises(UsageError, match="holds a login") as named,
        clustered(ConstructParams(runner="dask")),
    ):
        pass
    monkeypatch.delenv(runners.ADDRESS)
    ended = run("build", "--runner", "dask", "--dask-address", address)
    fails(ended, 2, "holds a login")
    assert "PLANTED" not in f"{form.value} {named.value} {ended.err}"


@pytest.fixture
def humming() -> Iterator[str]:
    """The address of a cluster of two workers that speak in tones."""
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        preload=["tests.flows.dask_in_tones"],
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.flow
def test_a_release_made_on_dask_is_the_same(
    prefect_api: None, humming: str, finished_demo: Path, tmp_path: Path
) -> None:
    wanted = ConstructParams(
        root=str(tmp_path), custom=DEMO, workers=2, runner="dask", dask_address=humming
    )
    with in_tones():
        release = load(open_root(tmp_path), construct(wanted))
    assert release.manifest_hash == load(open_root(finished_demo), "demo").manifest_hash


@pytest.mark.slow
def test_a_cluster_of_this_machine_spreads_pieces_in_their_order() -> None:
    with clustered(ConstructParams(runner="dask", workers=2)) as params:
        assert params.dask_address
        assert list(dask.mapper(2, params.dask_address)(neg, range(20))) == [-n for n in range(20)]
        with pytest.raises(ZeroDivisionError):
            list(dask.mapper(2, params.dask_address)((1).__truediv__, [1, 0]))
    assert list(dask.mapper(1, None)(neg, range(3))) == [0, -1, -2]
