"""Re-evaluation as tasks: one look at the store, and one start a step."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.deployments import run_deployment
from prefect.exceptions import ObjectNotFound, PrefectException

from tasks.alive import is_at_work
from voxmem import reevaluation
from voxmem.errors import EngineError
from voxmem.evaluate.items import open_release
from voxmem.keys import short
from voxmem.reevaluation import Attempts, Goal, Plan, RunState, Step
from voxmem.store.root import open_root

_REMEDY = "voxmem bootstrap makes what is missing; voxmem doctor says what that is"


def state_of(flow_run: str) -> RunState:
    """Whether a flow run has ended. One that was deleted from the server has."""
    try:
        with get_client(sync_client=True) as client:
            found = client.read_flow_run(UUID(flow_run))
            return "running" if is_at_work(client, found) else "ended"
    except ObjectNotFound:
        return "ended"
    except httpx.HTTPError:
        return "unknown"


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="look-{night}")
def look(root: str, release: str, goal: Goal, night: str) -> Plan:
    """Where everything stands, and what is to be started."""
    return reevaluation.plan(open_release(root, release), goal, night=night, state_of=state_of)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="start-{deployment}-{run_name}")
def start(
    root: str,
    release: str,
    step: Step,
    night: str,
    deployment: str,
    parameters: dict[str, Any],
    run_name: str,
) -> str:
    """Starts one step and does not wait for it; returns the id of its flow run. The same attempt
    at the same step is the same flow run, however often it is started; no other root has it.

    Raises:
        EngineError: Its deployment is missing or has no work pool, or refuses it; or the attempt
            was made before, by a process that was not told so, and is over.
    """
    check(deployment)
    at = open_root(root)
    attempts = Attempts(at, release)
    step = attempts.begin(step, night)
    try:
        run: Any = run_deployment(
            deployment,
            parameters={"params": parameters},
            timeout=0,
            as_subflow=False,
            idempotency_key=f"{step.key}-{short(at.uri)}",
            flow_run_name=run_name,
            tags=["voxmem", "reevaluation", *_tags(step)],
        )
    except (PrefectException, httpx.HTTPError) as error:
        raise _refused(deployment, " ".join(str(error).split())[:200]) from None
    attempts.started(step, night, str(run.id))
    if run.state is not None and run.state.is_final():
        raise _refused(
            deployment,
            f"attempt {step.attempt} was flow run {run.id}, which has ended",
            remedy="the next look makes another attempt",
        )
    return str(run.id)


def _tags(step: Step) -> list[str]:
    """Those that its own page gives it too, from the start."""
    return [f"model:{name}" for name in step.systems[: len(step.systems) == 1]]


def check(deployment: str) -> None:
    """Asserts that a deployment is there, and that somebody may take its runs.

    Raises:
        EngineError: It is not, or nobody may.
    """
    try:
        with get_client(sync_client=True) as client:
            found = client.read_deployment_by_name(deployment)
    except ObjectNotFound:
        raise _refused(deployment, "there is no such deployment") from None
    if found.work_pool_name is None:
        raise _refused(deployment, "the deployment has no work pool")


def _refused(deployment: str, why: str, remedy: str = _REMEDY) -> EngineError:
    return EngineError(why, item=deployment, stage="reevaluate", remedy=remedy)
