"""Runs that a flow waits for: those whose process died are begun again, those that failed not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from prefect import flow
from prefect.client.schemas.objects import State, StateType

from flows.children import completed
from flows.params import SpeakParams
from voxmem.errors import EngineError

pytestmark = pytest.mark.flow


def ends(monkeypatch: pytest.MonkeyPatch, *states: str) -> list[dict[str, Any]]:
    """Runs of the deployment end so, one after the other."""
    asked: list[dict[str, Any]] = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> Any:
        asked.append(parameters)
        state = State(type=StateType(states[len(asked) - 1]))
        return SimpleNamespace(name=f"run-{len(asked)}", state=state)

    monkeypatch.setattr("flows.children.run_deployment", run_deployment)
    return asked


@flow(name="parent")
def parent(again: int = 2) -> str:
    return completed("speak/gpu-tts", SpeakParams(last=3), stage="speak", again=again).name


def test_one_that_crashed_is_begun_again(
    prefect_api: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ends(monkeypatch, "CRASHED", "CRASHED", "COMPLETED")
    assert parent() == "run-3"
    assert asked[0] == asked[1] == asked[2]


@pytest.mark.parametrize(
    ("states", "again", "runs"),
    [
        (["CRASHED"] * 4, 2, 3),  # a machine that is too small for it ends every one
        (["FAILED"], 2, 1),
        (["CANCELLED"], 2, 1),
        (["CRASHED"], 0, 1),
    ],
)
def test_what_would_end_badly_again_is_not(
    prefect_api: None,
    monkeypatch: pytest.MonkeyPatch,
    states: list[str],
    again: int,
    runs: int,
) -> None:
    asked = ends(monkeypatch, *states)
    with pytest.raises(EngineError, match=f"run-{runs}"):
        parent(again)
    assert len(asked) == runs
