"""Whether a flow run is at work: one that was marked as dead may be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.objects import FlowRun
from prefect.events.filters import (
    EventFilter,
    EventNameFilter,
    EventOccurredFilter,
    EventResourceFilter,
)

MARK = "No heartbeat"
"""The first words of what the automation ``voxmem zombie runs`` says of a run that it marks."""
SILENCE = timedelta(minutes=5)
"""After which it marks one."""
UNSURE = timedelta(minutes=1)
"""Two heartbeats, after a mark: not heard in them, a run was dead."""


def is_at_work(client: SyncPrefectClient, run: FlowRun) -> bool:
    """Whether a flow run has not ended. A server that was away for long marks runs that it could
    not hear: they go on, are heard again, and end by themselves. Just after the mark nobody knows
    yet, and it counts as at work."""
    state = run.state
    if state is None or not state.is_final():
        return True
    if not (state.is_crashed() and (state.message or "").startswith(MARK)):
        return False
    now, marked = datetime.now(UTC), state.timestamp
    return now - marked < UNSURE or _heard(client, run, max(marked, now - SILENCE))


def _heard(client: SyncPrefectClient, run: FlowRun, since: datetime) -> bool:
    wanted = EventFilter(
        occurred=EventOccurredFilter(since=since),
        event=EventNameFilter(name=["prefect.flow-run.heartbeat"]),
        resource=EventResourceFilter(id=[f"prefect.flow-run.{run.id}"]),
    )
    return bool(client.read_events(wanted, limit=1).events)
