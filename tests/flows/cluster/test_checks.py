"""What a doctor sees on a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from prefect.client.schemas.objects import FlowRun, State, StateType, Worker, WorkPool

from flows import job
from flows.cluster import bootstrap as module
from flows.cluster import declared, deployments
from flows.cluster.checks import runs, server, state, values
from flows.cluster.checks.cluster import Cluster
from flows.cluster.wishes import Wishes
from tests.flows.cluster.fake_server import FakeServer
from voxmem.errors import EngineError
from voxmem.store.release import publish
from voxmem.store.root import open_root

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


class FakeRuns(FakeServer):
    """A server with flow runs, some of which were heard of lately."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[FlowRun] = []
        self.heard: list[FlowRun] = []

    def read_flow_runs(self, flow_run_filter: Any, limit: int) -> list[FlowRun]:
        by = flow_run_filter.state
        [wanted] = (by.name or by.type).any_
        at = "name" if by.name else "type"
        return [run for run in self.runs if run.state and getattr(run.state, at) == wanted]

    def read_events(self, found: Any, limit: int) -> Any:
        wanted = set(found.resource.id)
        events = [
            type("Event", (), {"resource": type("Resource", (), {"id": name})})
            for name in (f"prefect.flow-run.{run.id}" for run in self.heard)
            if name in wanted
        ]
        return type("Page", (), {"events": events, "next_page": None})


def cluster(client: FakeServer, url: str = "http://127.0.0.1:4200/api", **known: Any) -> Cluster:
    found = Cluster(client, url, "3.9.1", NOW)  # type: ignore[arg-type]
    found.__dict__.update(known)  # what would be asked for
    return found


def run(
    name: str, state_name: str, minutes: float, message: str = "", pool: str = "cpu"
) -> FlowRun:
    pending = dict.fromkeys(("Submitting", "InfrastructurePending"), "PENDING")
    kind = ({"Late": "SCHEDULED"} | pending).get(state_name, state_name.upper())
    since = NOW - timedelta(minutes=minutes)
    return FlowRun(
        id=uuid4(),
        name=name,
        flow_id=uuid4(),
        work_pool_name=pool,
        state=State(type=StateType(kind), name=state_name, timestamp=since, message=message),
    )


SETTINGS: dict[str, Any] = {
    "analytics_enabled": False,
    "api": {"auth_string": None, "host": "127.0.0.1"},
    "database": {"driver": "sqlite+aiosqlite"},
    "services": {
        "task_run_recorder": {"batch_size": 100, "read_batch_size": 100, "flush_interval": 1.0},
        "db_vacuum": {"enabled": ["flow_runs", "events"]},
    },
    "events": {"retention_period": "P2D"},
}


@pytest.mark.parametrize(
    ("url", "host", "auth", "status"),
    [
        ("http://127.0.0.1:4200/api", "127.0.0.1", None, "ok"),
        ("http://127.0.0.1:4200/api", "0.0.0.0", None, "wrong"),
        ("http://10.1.2.3:4200/api", "127.0.0.1", None, "wrong"),
        ("http://10.1.2.3:4200/api", "0.0.0.0", "*****", "ok"),
    ],
)
def test_a_server_that_others_reach_has_to_ask_for_a_login(
    url: str, host: str, auth: str | None, status: str
) -> None:
    settings = {**SETTINGS, "api": {"auth_string": auth, "host": host}}
    [found] = server.login(cluster(FakeServer(), url, settings=settings))
    assert found.status == status


def test_sqlite_serves_one_worker() -> None:
    worker = Worker(id=uuid4(), name="w", work_pool_id=uuid4())
    one = {"cpu": [worker]}
    for workers, driver, status in [
        (one, "sqlite+aiosqlite", "ok"),
        (one | {"gpu-tts": [worker]}, "sqlite+aiosqlite", "warn"),
        (one | {"gpu-tts": [worker]}, "postgresql+asyncpg", "ok"),
    ]:
        known = {"settings": {**SETTINGS, "database": {"driver": driver}}, "workers": workers}
        [found] = server.database(cluster(FakeServer(), **known))
        assert found.status == status


def test_a_login_in_the_address_is_not_shown() -> None:
    [found] = server.version(cluster(FakeServer(), "http://me:hunter2@127.0.0.1:4200/api"))
    assert found.what.endswith("at http://…@127.0.0.1:4200/api")


def test_settings_that_are_not_in_force_are_named() -> None:
    assert [each.status for each in server.settings(cluster(FakeServer(), settings=SETTINGS))] == [
        "ok"
    ]
    off = {**SETTINGS, "events": {"retention_period": "P7D"}}
    [found] = server.settings(cluster(FakeServer(), settings=off))
    assert (found.status, found.what) == ("warn", "events.retention_period is P7D, not P2D")


@pytest.fixture
def bootstrapped(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    found = FakeServer()
    monkeypatch.setattr(module, "client", found.opened)
    monkeypatch.delenv("VOXMEM_MODELS", raising=False)
    module.bootstrap(Wishes())
    return found


def test_a_fresh_server_is_as_declared(bootstrapped: FakeServer) -> None:
    at = cluster(bootstrapped)
    for check in (
        values.variables,
        state.as_declared,
        state.deployed_version,
        state.deployments_have_pools,
        state.paused,
        state.heartbeat,
        state.open_secrets,
    ):
        assert [each.status for each in check(at)] == ["ok"], check.__name__


def test_what_is_missing_other_or_left_over_is_named(bootstrapped: FakeServer) -> None:
    gone = bootstrapped.deployment("judge/cpu")
    del bootstrapped.deployments[gone.id]
    bootstrapped.deployment("judge/demo").description = "another"
    bootstrapped.variables["voxmem_old"] = 1
    found = {each.what: each for each in state.as_declared(cluster(bootstrapped))}
    assert {what: each.status for what, each in found.items()} == {
        "missing: deployment judge/cpu": "wrong",
        "other: deployment judge/demo": "warn",
        "no longer declared: variable voxmem_old": "warn",
    }


def test_a_deployment_without_its_pool_is_wrong(bootstrapped: FakeServer) -> None:
    del bootstrapped.pools["gpu-tts"]
    [found] = state.deployments_have_pools(cluster(bootstrapped))
    assert (found.status, found.what) == ("wrong", "without a work pool: speak/gpu-tts")


def test_a_deployment_of_other_code_is_wrong(
    bootstrapped: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "installed_version", lambda: "9.9+other")
    [found] = state.deployed_version(cluster(bootstrapped))
    assert found.status == "wrong"
    assert deployments.installed_version() in found.what


def test_what_was_switched_off_is_named(bootstrapped: FakeServer) -> None:
    bootstrapped.deployment("judge/demo").paused = True
    bootstrapped.deployment("reevaluate/nightly").schedules[0].active = False
    bootstrapped.automation("voxmem zombie runs").enabled = False
    [found] = state.paused(cluster(bootstrapped))
    assert found.what == (
        "deployment judge/demo, schedule of reevaluate/nightly, automation voxmem zombie runs"
    )


def environment(pool: WorkPool) -> dict[str, str]:
    found: dict[str, str] = pool.base_job_template["variables"]["properties"]["env"]["default"]
    return found


def test_a_slow_heartbeat_and_an_open_secret_are_wrong(bootstrapped: FakeServer) -> None:
    environment(bootstrapped.pools["cpu"]).update(
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY="180", OPENAI_API_KEY="hunter2"
    )
    [slow] = state.heartbeat(cluster(bootstrapped))
    assert (slow.status, "cpu every 180 s" in slow.what) == ("wrong", True)
    [secret] = state.open_secrets(cluster(bootstrapped))
    assert (secret.status, "OPENAI_API_KEY of work pool cpu" in secret.what) == ("wrong", True)
    assert "hunter2" not in secret.line()


def test_a_run_that_waits_and_no_worker_is_wrong() -> None:
    client = FakeRuns()
    client.runs = [run("waits", "Late", 1, pool="gpu-tts")]
    names = [pool.name for pool in declared.pools()]
    found = {
        each.name: each.status
        for each in runs.workers(cluster(client, workers={name: [] for name in names}))
    }
    assert found == {
        "workers of cpu": "warn",
        "workers of gpu-tts": "wrong",
        "workers of gpu-lalm": "warn",
    }


def test_runs_that_nobody_works_on_are_named() -> None:
    client = FakeRuns()
    silent, alive = run("silent", "Running", 30), run("alive", "Running", 30)
    client.runs = [
        silent,
        alive,
        run("young", "Running", 2),
    ]
    client.heard = [alive]
    [zombies] = runs.zombies(cluster(client))
    assert (zombies.status, zombies.what) == ("wrong", "silent without a heartbeat")


def test_a_run_that_never_starts_or_ends_is_named_with_what_ends_it() -> None:
    client = FakeRuns()
    slow = run("slow", "Submitting", 3)
    client.runs = [
        run("starts", "Pending", 1),
        slow,
        run("stuck", "Pending", 11),
    ]
    first, second = runs.stuck_pending(cluster(client))
    assert (first.status, first.what) == ("wrong", "stuck is Pending for 11 min")
    assert (second.status, second.what) == ("warn", "slow is Submitting for 3 min")
    sent = f"/flow_runs/{slow.id}/set_state --data "
    assert sent + '\'{"state": {"type": "CRASHED"}, "force": true}\'' in second.remedy
    client.runs = [run("queues", "InfrastructurePending", 700)]
    [queues] = runs.stuck_pending(cluster(client))
    assert (queues.status, queues.what) == ("warn", "queues is InfrastructurePending for 700 min")
    client.runs = [run("cancelled", "Cancelling", 20)]
    [cancelled] = runs.stuck_cancelling(cluster(client))
    assert (cancelled.status, '"CANCELLED"' in cancelled.remedy) == ("wrong", True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("voxmem_root", "s3://k:hunter2@b/x"),
        ("voxmem_limit_usd", "hunter2"),
        ("voxmem_limit_usd", 0),
        ("voxmem_release", " "),
    ],
)
def test_a_variable_that_cannot_be_meant_is_wrong(
    bootstrapped: FakeServer, name: str, value: Any
) -> None:
    bootstrapped.variables[name] = value
    [found] = values.variables(cluster(bootstrapped))
    assert (found.name, found.status) == (f"variable {name}", "wrong")
    assert "hunter2" not in found.line()


@pytest.mark.parametrize(
    ("here", "there", "status"),
    [
        ("", None, "ok"),
        ("s3://bucket/m.yaml", "s3://bucket/m.yaml", "ok"),
        ("s3://bucket/m.yaml", None, "warn"),
        ("", "s3://bucket/m.yaml", "warn"),
        ("s3://bucket/m.yaml", "/srv/m.yaml", "warn"),
    ],
)
def test_another_catalogue_here_than_on_workers_is_said(
    bootstrapped: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    here: str,
    there: str | None,
    status: str,
) -> None:
    monkeypatch.setenv("VOXMEM_MODELS", here)
    bootstrapped.variables |= {} if there is None else {"voxmem_models": there}
    [found] = values.catalogue(cluster(bootstrapped))
    assert found.status == status
    assert [each.status for each in state.as_declared(cluster(bootstrapped))] == ["ok"]


def test_a_release_that_a_root_lacks_is_said_where_the_root_can_be_seen(
    bootstrapped: FakeServer, tmp_path: Path
) -> None:
    bootstrapped.variables |= {"voxmem_home": str(tmp_path), "voxmem_root": "away"}
    assert list(values.release(cluster(bootstrapped))) == []
    bootstrapped.variables["voxmem_root"] = "."
    [lacks] = values.release(cluster(bootstrapped))
    assert (lacks.name, lacks.status) == ("variable voxmem_release", "warn")
    assert "no release 'demo'" in lacks.what
    made = publish(
        open_root(tmp_path), "demo", {}, objects=(), counts={}, licences={}, versions={}, config={},
        seed=0,
    )  # fmt: skip
    for name in ("demo", made.release_id):
        bootstrapped.variables["voxmem_release"] = name
        [there] = values.release(cluster(bootstrapped))
        assert there.status == "ok"


def test_a_worker_with_other_code_is_seen_by_what_its_runs_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job, "deployment", type("Deployment", (), {"version": "0", "name": "d"}))
    monkeypatch.delenv(job.EDITING, raising=False)
    with pytest.raises(EngineError) as caught:
        job.check_version()
    client = FakeRuns()
    client.runs = [
        run("refused", "Failed", 60, str(caught.value)),
        run("long ago", "Failed", 2000, str(caught.value)),
        run("another error", "Failed", 60, "the disk is full"),
    ]
    [found] = runs.other_code(cluster(client))
    assert found.status == "wrong"
    assert found.what.endswith("deployed: refused")
