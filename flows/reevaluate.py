"""Keeps a release's results up to date: starts what is missing, once, and waits for nothing."""

from __future__ import annotations

from math import inf
from typing import Any
from uuid import UUID

from prefect import flow
from prefect.client.orchestration import get_client
from prefect.runtime import deployment as deployed
from prefect.runtime import flow_run
from prefect.variables import Variable

from flows.boards.plan import show_plan
from flows.job import ROOT, as_deployed, settle_in
from flows.params import (
    AnalyzeParams,
    AttributeParams,
    EvaluateParams,
    JudgeParams,
    ReevaluateParams,
)
from tasks import reevaluate as stage
from tasks.nights import night_of
from tasks.takeover import take_over
from voxmem.errors import EngineError, UsageError
from voxmem.reevaluation import Plan, Standing, Step
from voxmem.store.root import open_root

RELEASE, LIMIT = "voxmem_release", "voxmem_limit_usd"
"""Variables of the server: what is looked at, and the dollars of one night."""
PATIENCE = 75.0
"""Seconds to wait for another look: one that was killed holds a bucket's lease for a minute."""


def _night() -> str:
    """The night that the run is of."""
    due = flow_run.scheduled_start_time
    if not deployed.id:
        return night_of([], due)
    with get_client(sync_client=True) as client:
        return night_of(client.read_deployment(UUID(str(deployed.id))).schedules, due)


@flow(name="reevaluate", flow_run_name=lambda: f"reevaluate-{_night()}")
def reevaluate(params: ReevaluateParams) -> list[dict[str, Any]]:
    """Looks at the catalogue, the release and the store, and starts the steps that are next, within
    the night's limit. Returns where every model stands.

    A night lasts from one scheduled time of the deployment to the next, and is called after the day
    of the first (UTC): however often it is woken, it spends the limit once.

    Raises:
        EngineError: A step could not be started. The others were.
    """
    settle_in()
    params, night = filled(as_deployed(params)), _night()
    root = open_root(params.root)
    with root.locked("reevaluation", item=params.release, stage="reevaluate", wait=PATIENCE):
        take_over()
        plan = stage.look(params.root, params.release, params.goal, night)
        refused = {} if params.dry_run else _start(params, plan)
    shown = [_shown(one, refused) for one in plan.standings]
    show_plan(plan, shown, params)
    if refused:
        raise EngineError(
            f"{len(refused)} of {len(plan.steps)} steps could not be started: "
            f"{next(iter(refused.values()))}",
            stage="reevaluate",
        )
    return [one.model_dump(mode="json") for one in shown]


def filled(params: ReevaluateParams) -> ReevaluateParams:
    """The parameters, with the server's variables where nothing was said.

    Raises:
        UsageError: Neither says which root or release, or the limit is no number above 0.
    """
    found = from_variables(params)
    for name, value in ((ROOT, found.root), (RELEASE, found.release)):
        if not value:
            raise UsageError(
                f"neither the parameters nor the variable {name} say it",
                stage="reevaluate",
                remedy=f"prefect variable set {name} VALUE",
            )
    return found


def from_variables(params: ReevaluateParams) -> ReevaluateParams:
    """The parameters, with what the server's variables say where nothing was said; root and release
    are "" where those say nothing either.

    Raises:
        UsageError: The limit is no number above 0.
    """
    said = {
        "root": params.root or _variable(ROOT),
        "release": params.release or _variable(RELEASE),
        "limit_usd": params.limit_usd or limit(),
    }
    return params.model_copy(update=said)


def limit() -> float | None:
    """Dollars of one night, as the server's variable says; ``None``: no limit.

    Raises:
        UsageError: It is no number above 0.
    """
    absent: list[Any] = []
    found = Variable.get(LIMIT, default=absent)
    if found is absent:  # one that is there and null would be a night without a limit
        return None
    try:
        dollars = float(str(found))
    except ValueError:
        dollars = 0.0
    if not 0 < dollars < inf:
        raise UsageError(
            f"the variable {LIMIT} is no number above 0",
            stage="reevaluate",
            remedy=f"prefect variable set {LIMIT} 10 --overwrite; without it, nothing is limited",
        )
    return dollars


def _variable(name: str) -> str:
    return str(Variable.get(name, default=None) or "")


def _start(params: ReevaluateParams, plan: Plan) -> dict[str, str]:
    """Starts every step; returns why some could not be, by their key."""
    refused: dict[str, str] = {}
    for step in plan.steps:
        given = parameters(params, plan, step).model_dump(mode="json")
        at = deployment(step), given, run_name(step)
        try:
            stage.start(params.root, plan.release, step, plan.night, *at)
        except EngineError as error:
            refused[step.key] = str(error)
    return refused


def deployment(step: Step) -> str:
    """The deployment that does it."""
    if step.kind == "evaluate":
        return "evaluate/cpu" if step.is_control else f"evaluate-run/{step.pool}"
    return {"judge": "judge/cpu", "attribute": "attribute/cpu", "report": "analyze/cpu"}[step.kind]


def run_name(step: Step) -> str:
    """What its flow run is called."""
    return "-".join(dict.fromkeys([step.kind, *step.name.split()]))


def parameters(params: ReevaluateParams, plan: Plan, step: Step) -> EvaluateParams:
    """What it is told."""
    common: dict[str, Any] = {
        "root": params.root,
        "release": plan.release,
        "systems": list(step.systems),
        "budgets": list(step.budgets) or None,
        "arms": list(step.arms),
        "subset": params.subset,
        "prompts": params.prompts,
        "preflight": params.preflight,
        "limit_usd": step.limit_usd,
    }
    if step.kind == "evaluate":
        return EvaluateParams(**common)
    if step.kind == "judge":
        return JudgeParams(**common, judges=params.judges)
    if step.kind == "attribute":
        return AttributeParams(**common, judges=params.judges, auditors=params.auditors)
    return AnalyzeParams(**common, judges=params.judges, out=params.out, day=plan.night)


def _shown(standing: Standing, refused: dict[str, str]) -> Standing:
    if standing.step is None or standing.step.key not in refused:
        return standing
    return standing.model_copy(update={"state": "refused", "why": refused[standing.step.key]})
