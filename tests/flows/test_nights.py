"""A night lasts from one scheduled time to the next, whatever day it is meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from prefect.client.schemas.objects import DeploymentSchedule, FlowRun
from prefect.client.schemas.schedules import CronSchedule, IntervalSchedule

from tasks.nights import night_of
from tasks.takeover import _like


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-12-{text}+00:00")


def cron(text: str, zone: str = "UTC", active: bool = True) -> DeploymentSchedule:
    return DeploymentSchedule(schedule=CronSchedule(cron=text, timezone=zone), active=active)


LATE, EARLY = cron("0 22 * * *"), cron("0 2 * * *")


@pytest.mark.parametrize(
    ("schedules", "due", "night"),
    [
        ([LATE], "01T22:00:00", "2026-12-01"),
        ([LATE], "01T23:40:00", "2026-12-01"),
        ([LATE], "02T00:10:00", "2026-12-01"),
        ([LATE], "02T21:59:59.9", "2026-12-01"),
        ([LATE], "02T22:00:00.1", "2026-12-02"),
        ([EARLY], "02T23:59:00", "2026-12-02"),
        ([EARLY], "02T01:00:00", "2026-12-01"),
        ([EARLY, LATE], "02T01:00:00", "2026-12-01"),
        ([EARLY, LATE], "02T03:00:00", "2026-12-02"),
        ([cron("0 22 * * *", "America/New_York")], "02T02:30:00", "2026-12-01"),
        ([cron("0 22 * * *", "America/New_York")], "02T03:00:00", "2026-12-02"),
        ([cron("0 2 * * 0")], "02T12:00:00", "2026-11-29"),
        ([cron("0 22 * * *", active=False)], "02T00:10:00", "2026-12-02"),
        ([], "02T00:10:00", "2026-12-02"),
    ],
)
def test_a_night_is_called_after_the_day_on_which_it_began(
    schedules: list[DeploymentSchedule], due: str, night: str
) -> None:
    hourly = DeploymentSchedule(schedule=IntervalSchedule(interval=timedelta(hours=1)), active=True)
    assert night_of([*schedules, hourly], at(due)) == night


@pytest.mark.parametrize(
    ("own", "waits", "taken"),
    [
        ("01T23:50:00", "02T00:10:00", True),
        ("01T21:50:00", "01T22:00:00", False),  # of the next night, which has a limit of its own
    ],
)
def test_a_look_takes_over_for_those_of_its_night(own: str, waits: str, taken: bool) -> None:
    deployment = uuid4()

    def run(due: str) -> FlowRun:
        return FlowRun(flow_id=uuid4(), deployment_id=deployment, expected_start_time=at(due))

    other = run(waits)
    client: Any = SimpleNamespace(
        read_deployment=lambda known: SimpleNamespace(schedules=[LATE]),
        read_flow_runs=lambda flow_run_filter: [other],
    )
    assert list(_like(client, run(own))) == [other] * taken


@pytest.mark.flow
def test_a_run_is_of_the_night_of_its_deployment(
    prefect_api: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import DeploymentScheduleCreate
    from prefect.flow_engine import run_flow
    from prefect.states import Scheduled

    from flows.params import ReevaluateParams
    from flows.reevaluate import reevaluate

    def looks(root: str, release: str, goal: Any, night: str) -> Any:
        raise LookupError(f"night {night}")

    monkeypatch.setattr("tasks.reevaluate.look", looks)
    schedule = DeploymentScheduleCreate(schedule=LATE.schedule, active=True)
    with get_client(sync_client=True) as client:
        flow = client.create_flow(reevaluate)
        made = client.create_deployment(flow, "late", schedules=[schedule])
        past = datetime.fromisoformat("2026-01-02T00:10:00+00:00")
        due: Any = Scheduled(scheduled_time=past)
        run = client.create_flow_run_from_deployment(made, state=due)
        wanted = ReevaluateParams(root=str(tmp_path), release="demo")
        with pytest.raises(LookupError, match="night 2026-01-01"):
            run_flow(reevaluate, flow_run=run, parameters={"params": wanted})
        assert client.read_flow_run(run.id).name == "reevaluate-2026-01-01"
        client.delete_deployment(made)
