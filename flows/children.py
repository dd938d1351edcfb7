"""Runs of other deployments that a flow starts, and waits for."""

from __future__ import annotations

import time

from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun
from prefect.deployments import run_deployment
from prefect.logging import get_run_logger
from pydantic import BaseModel

from tasks.alive import is_at_work
from voxmem.errors import EngineError

_LOOK = 5.0
"""Seconds between two looks at a run that may be at work; Prefect's own."""
_AGAIN = 2
"""How often a run is begun again whose process, worker or machine has died."""


def completed(deployment: str, params: BaseModel, *, stage: str, again: int = _AGAIN) -> FlowRun:
    """A run that has completed. One that crashed is begun again: what it has done is kept, and at
    most the calls that were in flight are paid for twice. One that failed would fail again. One
    that was marked as dead and is heard is waited for.

    Args:
        again: How often, at most.

    Raises:
        EngineError: It did not complete.
    """
    while True:
        run = _ended(
            run_deployment(  # type: ignore[arg-type]  # it waits: called from a thread
                deployment, parameters={"params": params.model_dump(mode="json")}
            )
        )
        if run.state is not None and run.state.is_completed():
            return run
        ended = f"ended as {run.state.name if run.state else 'unknown'}"
        if again == 0 or run.state is None or not run.state.is_crashed():
            raise EngineError(
                ended,
                item=f"flow run {run.name}",
                stage=stage,
                remedy="see its logs in the dashboard; run it again, what is done is kept",
            )
        again -= 1
        get_run_logger().warning("%s %s; begun again", run.name, ended)


def _ended(run: FlowRun) -> FlowRun:
    """A run that is over, whatever was said of it before."""
    with get_client(sync_client=True) as client:
        while is_at_work(client, run):
            time.sleep(_LOOK)
            run = client.read_flow_run(run.id)
    return run
