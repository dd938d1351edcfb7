"""Speech on other machines: shards are spoken by runs of a deployment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.client.schemas.objects import State, StateType

from flows.construct import construct
from flows.params import ConstructParams, SpeakParams
from flows.speak import speak
from tests.demo_in_tones import DEMO, in_tones
from voxmem.build import Build
from voxmem.errors import EngineError
from voxmem.store.release import load
from voxmem.store.root import open_root


@pytest.fixture(autouse=True)
def tones() -> Iterator[None]:
    with in_tones():
        yield


def elsewhere(monkeypatch: pytest.MonkeyPatch, state: str = "COMPLETED") -> list[SpeakParams]:
    """Deployment runs are calls of the flow, as a worker makes them, and end in a state."""
    asked: list[SpeakParams] = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> Any:
        assert name == "speak/gpu"
        params = SpeakParams.model_validate(parameters["params"])
        asked.append(params)
        if state == "COMPLETED":
            speak(params)
        return SimpleNamespace(name="some-run", state=State(type=StateType(state)))

    monkeypatch.setattr("flows.speak.run_deployment", run_deployment)
    return asked


@pytest.mark.flow
def test_shards_are_spoken_by_the_deployment_that_is_named(
    prefect_api: None, finished_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = elsewhere(monkeypatch)
    wanted = ConstructParams(root=str(tmp_path), workers=1, speak_on="speak/gpu", speak_runs=3)
    assert construct(wanted) == load(open_root(finished_demo), "demo").release_id
    shards = sorted(at for params in asked for at in range(params.first, params.last))
    assert shards == list(range(len(Build(open_root(tmp_path), DEMO).chunks)))
    assert len(asked) == 3


@pytest.mark.flow
def test_speech_that_fails_elsewhere_ends_the_run(
    prefect_api: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere(monkeypatch, "CRASHED")
    wanted = ConstructParams(root=str(tmp_path), workers=1, speak_on="speak/gpu")
    with pytest.raises(EngineError, match="some-run"):
        construct(wanted)
    assert open_root(tmp_path).releases() == []
