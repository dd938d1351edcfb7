"""Runs that a flow waits for: those whose process died are begun again, those that failed not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from prefect import flow
from prefect.client.schemas.objects import FlowRun, State, StateType

from flows.children import completed
from flows.cluster import declared
from flows.params import SpeakParams
from tasks.alive import MARK, SILENCE, UNSURE
from tasks.reevaluate import state_of
from voxmem.errors import EngineError

pytestmark = pytest.mark.flow


def ends(monkeypatch: pytest.MonkeyPatch, *states: str) -> list[dict[str, Any]]:
    """Runs of the deployment end so, one after the other."""
    asked: list[dict[str, Any]] = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> Any:
        asked.append(parameters)
        state = State(type=StateType(states[len(asked) - 1]))
        return FlowRun(name=f"run-{len(asked)}", flow_id=uuid4(), state=state)

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


class Server:
    """One run, as it is at every look; heartbeats by how long ago they were."""

    def __init__(self, *states: State, heard: float | None = None) -> None:
        run = FlowRun(name="marked", flow_id=uuid4())
        self.runs = [run.model_copy(update={"state": state}) for state in states]
        self.heard = heard

    def read_flow_run(self, flow_run_id: Any) -> FlowRun:
        return self.runs.pop(0) if len(self.runs) > 1 else self.runs[0]

    def read_events(self, wanted: Any, limit: int) -> SimpleNamespace:
        assert wanted.resource.id == [f"prefect.flow-run.{self.runs[0].id}"]
        assert wanted.event.name == ["prefect.flow-run.heartbeat"]
        heard = self.heard is not None and ago(self.heard) >= wanted.occurred.since
        return SimpleNamespace(events=[1] * heard)


def ago(minutes: float) -> datetime:
    return datetime.now(UTC) - timedelta(minutes=minutes)


def crashed(minutes: float, message: str = f"{MARK} for five minutes.") -> State:
    return State(type=StateType.CRASHED, message=message, timestamp=ago(minutes))


@pytest.mark.parametrize(
    ("state", "heard", "found"),
    [
        (lambda: crashed(0.5), None, "running"),  # nobody knows yet
        (lambda: crashed(2), None, "ended"),
        (lambda: crashed(2), 2.5, "ended"),  # before it was marked
        (lambda: crashed(2), 1, "running"),
        (lambda: crashed(60), 1, "running"),
        (lambda: crashed(60), 6, "ended"),  # it was heard for most of an hour, and died
        (lambda: crashed(0.5, "the worker's own words"), 0.1, "ended"),
        (lambda: State(type=StateType.FAILED, timestamp=ago(0)), 0.1, "ended"),
        (lambda: State(type=StateType.RUNNING, timestamp=ago(60)), None, "running"),
    ],
)
def test_one_that_was_marked_and_is_heard_is_at_work(
    monkeypatch: pytest.MonkeyPatch, state: Callable[[], State], heard: float | None, found: str
) -> None:
    server = Server(state(), heard=heard)
    monkeypatch.setattr("tasks.reevaluate.get_client", lambda sync_client: nullcontext(server))
    assert state_of(str(uuid4())) == found


def test_one_that_was_marked_and_goes_on_is_waited_for_and_not_begun_again(
    prefect_api: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = State(type=StateType.COMPLETED)
    server = Server(crashed(9), crashed(9), done, heard=0.1)
    started = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> FlowRun:
        started.append(name)
        return server.read_flow_run(None)

    monkeypatch.setattr("flows.children.run_deployment", run_deployment)
    monkeypatch.setattr("flows.children.get_client", lambda sync_client: nullcontext(server))
    monkeypatch.setattr("flows.children._LOOK", 0.0)
    assert parent() == "marked"
    assert started == ["speak/gpu-tts"]


def test_what_marks_runs_is_as_declared() -> None:
    entries = {each["name"]: each for each in declared.automations()}
    marks, again = entries["voxmem zombie runs"], entries["voxmem re-evaluation looks again"]
    assert marks["trigger"]["within"] == SILENCE.total_seconds()
    assert marks["actions"][0]["message"].startswith(MARK)
    known = SILENCE + UNSURE
    assert again["trigger"]["within"] > known.total_seconds(), "a look before finds it at work"
    assert "prefect.flow-run.Crashed" not in again["trigger"]["expect"], "the mark"
