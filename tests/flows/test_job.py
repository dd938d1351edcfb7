"""What all flows have in common: they refuse to run on other code than was deployed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import get_client
from prefect.flow_engine import run_flow
from pydantic import ValidationError

from flows import job
from flows.params import ConstructParams, EvaluateParams, RootParams, SpeakParams
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


def test_a_worker_without_a_catalogue_takes_the_one_of_the_server(
    deployed: pytest.MonkeyPatch,
) -> None:
    deployed.setenv("PREFECT__RUNTIME__DEPLOYMENT__ID", "1")
    deployed.setattr(job.Variable, "get", lambda name, default: f"s3://bucket/{name}.yaml")
    deployed.setenv("VOXMEM_MODELS", "mine.yaml")
    job.take_catalogue()
    assert os.environ["VOXMEM_MODELS"] == "mine.yaml"
    deployed.setenv("VOXMEM_MODELS", "")
    job.take_catalogue()
    assert os.environ["VOXMEM_MODELS"] == "s3://bucket/voxmem_models.yaml"


@pytest.mark.parametrize(
    ("model", "values", "why"),
    [
        (EvaluateParams, {"limit_us": 5}, "Extra inputs are not permitted"),
        (EvaluateParams, {"share": 2, "spread": 2}, "one of the flow runs"),
        (SpeakParams, {"first": 9, "last": 2}, "before the first"),
    ],
)
def test_a_misspelt_or_impossible_parameter_is_refused(
    model: type[RootParams], values: dict[str, object], why: str
) -> None:
    with pytest.raises(ValidationError, match=why):
        model.model_validate(values)


def test_a_form_shows_fields_in_their_order() -> None:
    fields = EvaluateParams.model_json_schema()["properties"]
    assert [field["position"] for field in fields.values()] == list(range(len(fields)))
    assert list(fields)[:3] == ["root", "release", "systems"]


def test_outside_of_a_deployment_nothing_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT__RUNTIME__DEPLOYMENT__VERSION", raising=False)
    job.check_version()


@pytest.mark.flow
def test_what_a_run_is_not_told_is_as_its_deployment_has_it(
    prefect_api: None, tmp_path: Path
) -> None:
    told: list[ConstructParams] = []

    @job.job("told", "told-{params.label}")
    def flow(params: ConstructParams) -> None:
        told.append(params)

    def run(deployed: dict[str, Any]) -> str:
        with get_client(sync_client=True) as client:
            at = client.create_deployment(
                client.create_flow(flow), "one", parameters={"params": deployed}
            )
            asked = {"params": {"workers": 1}}
            started = client.create_flow_run_from_deployment(at, parameters=asked)
            run_flow(flow, flow_run=started, parameters=asked)
            return client.read_flow_run(started.id).name

    here, named = str(tmp_path / "here"), str(tmp_path / "named")
    assert run({"root": here, "preset": "small", "workers": 3}) == "told-small"
    job.Variable.set(job.ROOT, named, overwrite=True)
    try:
        assert run({"text_only": True}) == "told-demo"
    finally:
        job.Variable.unset(job.ROOT)
    assert told == [
        ConstructParams(root=here, preset="small", workers=1),
        ConstructParams(root=named, text_only=True, workers=1),
    ]
