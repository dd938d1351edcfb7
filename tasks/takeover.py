"""One look in the place of many: a run does what those that wait behind it would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterExpectedStartTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import DeploymentSchedule, FlowRun, StateType
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run
from prefect.states import Cancelled

from tasks.nights import night_of


def take_over() -> None:
    """Cancels the runs that wait and would only do what the run that calls it is about to do: of
    its deployment, with equal parameters, due by now, and for no later night.

    They are harmless where they stay: a server that cannot be asked, or refuses, changes nothing.
    """
    with suppress(PrefectException, httpx.HTTPError), get_client(sync_client=True) as client:
        own = client.read_flow_run(UUID(str(flow_run.id)))
        for each in _like(client, own):
            client.set_flow_run_state(each.id, Cancelled(message="an earlier look took over"))
            client.update_flow_run(each.id, name=f"{own.name}-taken-over")


def _like(client: SyncPrefectClient, own: FlowRun) -> Iterator[FlowRun]:
    """Those that wait; none behind a run that no deployment started. What counts is when one was
    due first: while another run holds the deployment's slot, the server puts it off."""
    if own.deployment_id is None:
        return
    waiting = FlowRunFilter(
        deployment_id=FlowRunFilterDeploymentId(any_=[own.deployment_id]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.SCHEDULED])),
        expected_start_time=FlowRunFilterExpectedStartTime(before_=datetime.now(UTC)),
    )
    schedules = client.read_deployment(own.deployment_id).schedules
    ours = _night(own, schedules)
    for each in client.read_flow_runs(flow_run_filter=waiting):
        same = each.id != own.id and each.parameters == own.parameters
        if same and _night(each, schedules) <= ours:
            yield each


def _night(run: FlowRun, schedules: Sequence[DeploymentSchedule]) -> str:
    """The night that a run is for: a later one has a limit and attempts of its own."""
    due = run.expected_start_time
    return night_of(schedules, due) if due else ""
