"""The nightly re-evaluation as a flow: it starts what is missing, once, and waits for nothing."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid5

import pytest
from prefect.states import Failed, Scheduled

from flows.analyze import analyze
from flows.attribute import attribute
from flows.evaluate import evaluate, evaluate_run
from flows.judge import judge
from flows.params import (
    AnalyzeParams,
    AttributeParams,
    EvaluateParams,
    JudgeParams,
    ReevaluateParams,
)
from flows.reevaluate import PATIENCE, reevaluate
from tasks.reevaluate import start
from tests.flows.test_evaluate import pages
from tests.models.fake_openai import FakeOpenAI, says
from tests.reevaluation.world import NIGHT, entry
from tests.reevaluation.world import world as made
from tests.test_score import opened
from voxmem.errors import EngineError, UsageError
from voxmem.reevaluation import Attempts
from voxmem.reporting.history import history
from voxmem.store.root import open_root

pytestmark = pytest.mark.flow
FLOWS: dict[str, Any] = {
    "evaluate/cpu": (evaluate, EvaluateParams),
    "evaluate-run/cpu": (evaluate_run, EvaluateParams),
    "judge/cpu": (judge, JudgeParams),
    "attribute/cpu": (attribute, AttributeParams),
    "analyze/cpu": (analyze, AnalyzeParams),
}


class Server:
    """Runs of deployments: each is started once for a key, and ends when it is told to."""

    def __init__(self) -> None:
        self.started: list[SimpleNamespace] = []

    def run_deployment(
        self, name: str, *, parameters: dict[str, Any], idempotency_key: str, **how: Any
    ) -> SimpleNamespace:
        assert (how["timeout"], how["as_subflow"]) == (0, False)
        for run in self.started:
            if run.key == idempotency_key:
                return run
        run = SimpleNamespace(
            id=uuid5(UUID(int=0), idempotency_key),
            deployment=name,
            key=idempotency_key,
            params=parameters["params"],
            tags=how["tags"],
            name=how["flow_run_name"],
            state=Scheduled(),
            ended=False,
        )
        self.started.append(run)
        return run

    def state_of(self, flow_run: str) -> str:
        return next(
            "ended" if run.ended else "running" for run in self.started if str(run.id) == flow_run
        )

    def work(self) -> list[str]:
        """Does what was started, as workers would; returns the deployments."""
        todo = [run for run in self.started if not run.ended]
        for run in todo:
            flow, params = FLOWS[run.deployment]
            flow(params.model_validate(run.params))
            run.ended = True
        return [run.deployment for run in todo]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr("tasks.reevaluate.run_deployment", made.run_deployment)
    monkeypatch.setattr("tasks.reevaluate.state_of", made.state_of)
    monkeypatch.setattr("tasks.reevaluate.check", lambda deployment: None)
    return made


def scheduled(tmp_path: Path) -> None:
    """Has the nightly run evaluate what the catalogue of one's own lists."""
    file = tmp_path / "models.yaml"
    entries = json.loads(file.read_text())
    for each in entries["models"]:
        each["scheduled"] = True
    file.write_text(json.dumps(entries))


def test_a_new_entry_is_evaluated_judged_and_reported_once(
    prefect_api: None,
    own_demo: Path,
    tmp_path: Path,
    catalogue_of: Callable[..., None],
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from prefect.variables import Variable

    Variable.set("voxmem_root", str(own_demo), overwrite=True)
    Variable.set("voxmem_release", "demo", overwrite=True)
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))
    wanted = ReevaluateParams(budgets=["2K"], preflight="skip")
    with FakeOpenAI(script=lambda request: says("in May")) as model:
        catalogue_of("novel", url=model.url)
        reevaluate(wanted)
        assert server.work() == ["analyze/cpu"], "the controls are there, and no model is scheduled"
        scheduled(tmp_path)
        first = reevaluate(wanted)
        assert reevaluate(wanted) != first
        assert [run.deployment for run in server.started[1:]] == ["evaluate-run/cpu"]
        assert server.started[1].tags == ["voxmem", "reevaluation", "model:novel"]
        assert [run.name for run in server.started] == ["report", "evaluate-novel-2K"]
        assert not model.requests, "nothing is waited for"
        walked = server.work()
        for _ in range(4):
            reevaluate(wanted)
            walked += server.work()
        asked = len(model.requests)
    assert walked == ["evaluate-run/cpu", "judge/cpu", "attribute/cpu", "analyze/cpu"]
    editions = history(opened(own_demo))
    assert [sorted(set(one.entrants) & {"novel", "oracle"}) for one in editions] == [
        ["oracle"],
        ["novel", "oracle"],
    ]
    assert asked >= 15
    assert {one["state"] for one in reevaluate(wanted)} == {"settled"}
    [shown] = [json.loads(page) for page in pages("reevaluate-")[-1:]]
    assert [(row["run"], row["state"]) for row in shown][1] == ("novel 2K", "settled")
    assert "report/index.html" in pages("report-")[-1]


def test_a_start_is_of_one_root_and_one_that_was_over_before_is_none(
    own_demo: Path, tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "copy"
    world = made(own_demo, tmp_path, monkeypatch)
    world.write(entry("novel"))
    [step] = world.steps
    release = world.rows.release.release_id
    attempts = Attempts(world.rows.root, release)
    begun = attempts.begin(step, NIGHT)
    shutil.copytree(own_demo, copied)
    params = EvaluateParams(release=release).model_dump()

    def starts(root: Path) -> str:
        return start.fn(str(root), release, begun, NIGHT, "evaluate-run/cpu", params, "novel")

    assert starts(own_demo) == starts(own_demo) != starts(copied)
    server.started[0].state = Failed()
    with pytest.raises(EngineError, match=r"attempt 1 was flow run .* has ended"):
        starts(own_demo)
    [kept] = attempts.of(step.work).attempts
    assert kept.flow_run == str(server.started[0].id), "the next look counts it"


def test_one_look_takes_over_for_those_that_wait(
    prefect_api: None, own_demo: Path, server: Server
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.flow_engine import run_flow
    from prefect.states import AwaitingConcurrencySlot

    wanted = ReevaluateParams(root=str(own_demo), release="demo", budgets=["2K"], dry_run=True)
    other = wanted.model_copy(update={"arms": ["transcript"]})
    minute, day, now = timedelta(minutes=1), timedelta(days=1), datetime.now(UTC)
    with get_client(sync_client=True) as client:
        flow = client.create_flow(reevaluate)
        at, elsewhere = (client.create_deployment(flow, name) for name in ("takes", "other"))

        def waits(due: timedelta, params: ReevaluateParams = wanted, to: UUID = at) -> UUID:
            given = {"params": params.model_dump(mode="json")}
            state: Any = Scheduled(scheduled_time=now + due)
            return client.create_flow_run_from_deployment(to, parameters=given, state=state).id

        def runs(flow_run: UUID) -> None:
            found = client.read_flow_run(flow_run)
            run_flow(reevaluate, flow_run=found, parameters={"params": wanted})

        own, put_off, late = waits(-minute), waits(-minute), waits(-2 * day)
        slot: Any = AwaitingConcurrencySlot(scheduled_time=now + day)
        client.set_flow_run_state(put_off, slot)
        left = [waits(minute), waits(-minute, other), waits(-minute, to=elsewhere)]
        runs(own)
        left.append(waits(-minute))
        runs(waits(-day))  # of the night before: it spends another night's limit
        found = {each: client.read_flow_run(each) for each in (own, put_off, late, *left)}
    states = {each: run.state for each, run in found.items()}
    named = {each: (state.name, state.message) for each, state in states.items() if state}
    assert named.pop(own)[0] == "Completed"
    for each in (put_off, late):
        assert named.pop(each) == ("Cancelled", "an earlier look took over")
        assert found[each].name == f"{found[own].name}-taken-over"
    assert {name for name, _ in named.values()} == {"Scheduled"}


def test_a_look_waits_for_one_that_was_killed(
    prefect_api: None, own_demo: Path, server: Server
) -> None:
    held = threading.Event()

    def other() -> None:
        with open_root(str(own_demo)).locked("reevaluation", item="demo", stage="reevaluate"):
            held.set()
            time.sleep(1.0)

    thread = threading.Thread(target=other)
    thread.start()
    assert held.wait(10)
    wanted = ReevaluateParams(root=str(own_demo), release="demo", budgets=["2K"], dry_run=True)
    assert reevaluate(wanted)
    thread.join()
    assert PATIENCE > 60.0, "a lease of a bucket is out by then"


@pytest.mark.parametrize("said", ["much", None])
def test_a_limit_that_is_no_number_is_said(
    prefect_api: None, own_demo: Path, server: Server, said: str | None
) -> None:
    from prefect.variables import Variable

    Variable.set("voxmem_limit_usd", said, overwrite=True)
    try:
        with pytest.raises(UsageError, match="voxmem_limit_usd is no number above 0"):
            reevaluate(ReevaluateParams(root=str(own_demo), release="demo"))
    finally:
        Variable.unset("voxmem_limit_usd")


def test_a_dry_run_starts_nothing_and_a_missing_deployment_is_one_line(
    prefect_api: None,
    own_demo: Path,
    tmp_path: Path,
    catalogue_of: Callable[..., None],
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalogue_of("novel")
    scheduled(tmp_path)
    wanted = ReevaluateParams(root=str(own_demo), release="demo", budgets=["2K"], limit_usd=1.0)
    [_, row, _] = reevaluate(wanted.model_copy(update={"dry_run": True}))
    assert (row["name"], row["state"], row["step"]["most"]) == ("novel 2K", "to evaluate", 0.0)
    assert server.started == []
    monkeypatch.undo()
    monkeypatch.setenv("VOXMEM_MODELS", str(tmp_path / "models.yaml"))
    with pytest.raises(EngineError, match="evaluate-run/cpu: there is no such deployment"):
        reevaluate(wanted)
