"""Runs that wait for nobody, and runs that nobody works on any more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from flows.cluster import declared
from flows.cluster.checks.cluster import Cluster, listed
from voxmem.health.finding import Finding

if TYPE_CHECKING:
    from prefect.client.schemas.objects import FlowRun

_SLOW = timedelta(minutes=2)
_STUCK = timedelta(minutes=10)
_PATIENCE = {"InfrastructurePending": timedelta(hours=12)}
"""A job that waits for a GPU begins by itself."""
_SILENT = timedelta(minutes=10)
"""Twice the five minutes after which the automation marks a run."""
_RECENT = timedelta(days=1)

OTHER_CODE = "the deployment was made by"
"""What :func:`flows.job.check_version` says of a worker with other code."""


def workers(cluster: Cluster) -> Iterator[Finding]:
    """Somebody takes the runs of each pool."""
    for pool in declared.pools():
        online = cluster.workers.get(pool.name)
        name = f"workers of {pool.name}"
        if online is None:
            continue  # a missing pool is found elsewhere
        waiting = [run for run in cluster.late if run.work_pool_name == pool.name]
        if online:
            yield Finding(name, "ok", listed([each.name for each in online]))
        else:
            what = f"none is online, {len(waiting)} runs wait for one"
            yield Finding(
                name,
                "wrong" if waiting else "warn",
                what,
                f"prefect worker start --pool {pool.name}",
            )


def late(cluster: Cluster) -> Iterator[Finding]:
    """A run that should have begun."""
    if cluster.late:
        yield Finding(
            "late runs",
            "warn",
            listed([run.name for run in cluster.late]),
            "start a worker of their pool, raise its limit, or cancel them",
        )
    else:
        yield Finding("late runs", "ok", "none")


def stuck_pending(cluster: Cluster) -> Iterator[Finding]:
    """A run that a worker took and never started holds its deployment's slot."""
    yield from _lasting(cluster, "stuck pending runs", "PENDING", "CRASHED")


def stuck_cancelling(cluster: Cluster) -> Iterator[Finding]:
    """A run that was cancelled and whose worker is gone holds it too."""
    yield from _lasting(cluster, "stuck cancelling runs", "CANCELLING", "CANCELLED")


def _lasting(cluster: Cluster, name: str, kind: str, end: str) -> Iterator[Finding]:
    """One finding for each run that has been on the way for longer than that takes.

    Args:
        end: The type of the state that such a run is to be put into.
    """
    found = [run for run in cluster.runs_of_type(kind) if cluster.now - _since(run) > _SLOW]
    if not found:
        yield Finding(name, "ok", "none")
    for run in sorted(found, key=_since):
        age = cluster.now - _since(run)
        state = (run.state and run.state.name) or kind
        # Only a forced state ends it: a cancelled run waits for its worker, which may be dead.
        yield Finding(
            name,
            "wrong" if age > _PATIENCE.get(state, _STUCK) else "warn",
            f"{run.name} is {state} for {age.total_seconds() / 60:.0f} min",
            f"if its worker is gone: prefect api POST /flow_runs/{run.id}/set_state --data "
            f'\'{{"state": {{"type": "{end}"}}, "force": true}}\'',
        )


def zombies(cluster: Cluster) -> Iterator[Finding]:
    """A run whose process died unseen."""
    old = [run for run in cluster.runs("Running") if cluster.now - _since(run) > _SILENT]
    alive = _heard(cluster, old) if old else set()
    silent = [run for run in old if str(run.id) not in alive]
    yield from _stuck("zombie runs", silent, "without a heartbeat")


def other_code(cluster: Cluster) -> Iterator[Finding]:
    """Runs that a worker refused since yesterday, because it has other code than was deployed."""
    refused = [
        run.name
        for run in cluster.runs("Failed")
        if cluster.now - _since(run) < _RECENT and OTHER_CODE in _message(run)
    ]
    if refused:
        yield Finding(
            "code of workers",
            "wrong",
            f"refused, for it is not what was deployed: {listed(refused)}",
            "install the deployed version on every worker, and start it again",
        )
    else:
        yield Finding("code of workers", "ok", "no run was refused since yesterday")


def _stuck(name: str, runs: list[FlowRun], how: str) -> Iterator[Finding]:
    if not runs:
        yield Finding(name, "ok", "none")
        return
    yield Finding(
        name,
        "wrong",
        f"{listed([run.name for run in runs])} {how}",
        "the automations mark them; if they are off, cancel the runs in the dashboard",
    )


def _since(run: FlowRun) -> datetime:
    state = run.state
    assert state is not None  # it was asked for by its state
    return state.timestamp


def _message(run: FlowRun) -> str:
    return (run.state and run.state.message) or ""


def _heard(cluster: Cluster, runs: list[FlowRun]) -> set[str]:
    """The ids of those runs that sent a heartbeat lately."""
    from prefect.events.filters import (
        EventFilter,
        EventNameFilter,
        EventOccurredFilter,
        EventResourceFilter,
    )

    prefix = "prefect.flow-run."
    page = cluster.client.read_events(
        EventFilter(
            occurred=EventOccurredFilter(since=cluster.now - _SILENT, until=cluster.now),
            event=EventNameFilter(name=["prefect.flow-run.heartbeat"]),
            resource=EventResourceFilter(id=[f"{prefix}{run.id}" for run in runs]),
        ),
        limit=50,
    )
    found: set[str] = set()
    while True:
        found |= {event.resource.id.removeprefix(prefix) for event in page.events}
        if not page.next_page:
            return found
        page = cluster.client.read_events_page(str(page.next_page))
