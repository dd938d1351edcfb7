"""``voxmem evaluate``, ``judge``, ``attribute`` and ``report``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem import interruption
from voxmem.analyze.accuracy import Policy
from voxmem.analyze.pairing import Pairing
from voxmem.cli.running import counted, engine
from voxmem.commands.shared import (
    ArmsOption,
    AuditorsOption,
    BudgetsOption,
    JsonOption,
    JudgeOption,
    JudgesOption,
    LimitOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    SystemsOption,
    job_options,
    show,
)
from voxmem.errors import UsageError
from voxmem.evaluate.policy import PreflightPolicy

if TYPE_CHECKING:
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.evaluate.job import Job


_GOES_ON = "what was started on the work pools goes on there: cancel it in the dashboard"
_AGAIN = "the same command goes on, with a higher --limit-usd where that is why"


def evaluate(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    limit_usd: LimitOption = None,
    prompts: PromptsOption = None,
    preflight: Annotated[
        PreflightPolicy,
        typer.Option("--preflight", help="What follows if a model fails its trial."),
    ] = "refuse",
    on_pools: Annotated[
        bool,
        typer.Option("--on-pools", help="Run each model on its work pool, as a deployment."),
    ] = False,
    spread: Annotated[
        int,
        typer.Option("--spread", min=1, max=64, help="With --on-pools: flow runs of each run."),
    ] = 1,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Count the task runs of each flow, and ask nothing."),
    ] = False,
    allow_gate_model: Annotated[
        bool,
        typer.Option(
            "--allow-gate-model", help="Run a model that helped to choose the items; reported."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run systems over the items of a release."""
    from voxmem import road, score
    from voxmem.evaluate.items import open_release

    if spread > 1 and not on_pools:
        raise UsageError("--spread is for --on-pools", stage="evaluate", remedy="add --on-pools")
    rows = open_release(root, release)
    job = road.check_job(
        rows,
        model,
        allow_gate_model=allow_gate_model,
        limit_usd=limit_usd,
        preflight=preflight,
        **job_options(budget, arm, subset, prompts),
    )
    if dry_run:
        from flows.tally import evaluation

        params = _evaluate_params(root, release, job, on_pools=on_pools, spread=spread)
        counted(evaluation(rows, params), as_json)
        return
    found = score.evaluated(rows, job)
    if found is None:
        road.check_known(rows, job)
        if on_pools:
            _check_server()
            root = rows.root.uri  # workers have a working folder of their own
        with engine(root, quiet=as_json):
            from flows.evaluate import evaluate as flow
            from voxmem.evaluate.summary import Summary

            params = _evaluate_params(root, release, job, on_pools=on_pools, spread=spread)
            try:
                found = [Summary.model_validate(each) for each in flow(params)]
            finally:
                if on_pools and interruption.requested():
                    typer.echo(f"voxmem: {_GOES_ON}", err=True)
    lines = "\n".join(f"{each.run}: {each}" for each in found)
    show({"runs": {each.run: each.model_dump(mode="json") for each in found}}, as_json, lines)
    if not all(each.is_done for each in found):
        typer.echo(f"some items have no answer: {_AGAIN}", err=True)
        raise typer.Exit(1)


def judge(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgesOption = None,
    limit_usd: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the responses of systems."""
    from voxmem import road, score
    from voxmem.evaluate.items import open_release

    judges = judge or ["rule"]
    rows = open_release(root, release)
    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(rows, model, judges=judges, limit_usd=limit_usd, **options)
    found = score.judged(rows, job, judges)
    if found is None:
        with engine(root, quiet=as_json):
            from flows.judge import judge as flow
            from flows.params import JudgeParams

            params = _evaluate_params(root, release, job)
            found = flow(JudgeParams(**params.model_dump(), judges=judges))
    parts, plain = _estimates(rows, job, judges[0])
    lines = [f"{each.run} by {each.judge}: {each}" for each in found]
    runs = [each.model_dump(mode="json") for each in found]
    show({"runs": runs, "estimates": plain}, as_json, "\n".join([*lines, *parts]))
    unread = sum(each.statuses.get("unparsed", 0) for each in found)
    if unread:
        typer.echo(
            f"{unread} replies of judges state no verdict: the paper's policy counts them as "
            "wrong, the same command asks, and pays, again",
            err=True,
        )
    if any(each.waiting or each.statuses.get("error") for each in found):
        typer.echo(f"some responses have no verdict: {_AGAIN}", err=True)
        raise typer.Exit(1)


def attribute(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    auditor: AuditorsOption = None,
    limit_usd: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Trace wrong answers to where they come from: recognition, binding, operation, nowhere."""
    from voxmem import road, score
    from voxmem.evaluate.items import open_release

    auditors = auditor or ["rule"]
    rows = open_release(root, release)
    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(
        rows, model, judges=[judge], auditors=auditors, limit_usd=limit_usd, **options
    )
    found = score.attributed(rows, job, judge, auditors)
    if found is None:
        with engine(root, quiet=as_json):
            from flows.attribute import attribute as flow
            from flows.params import AttributeParams

            params = _evaluate_params(root, release, job)
            found = flow(AttributeParams(**params.model_dump(), judges=[judge], auditors=auditors))
    lines = [f"{each.run} by {each.auditor}: {each}" for each in found]
    show({"runs": [each.model_dump(mode="json") for each in found]}, as_json, "\n".join(lines))
    if any(each.open for each in found):
        typer.echo(f"some errors have no class yet: {_AGAIN}", err=True)
        raise typer.Exit(1)


def report(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A system; repeat for several. All that answered if absent."),
    ] = None,
    budget: BudgetsOption = None,
    arm: Annotated[
        list[str] | None,
        typer.Option("--arm", help="Repeat for several. All that were asked if absent."),
    ] = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgesOption = None,
    policy: Annotated[
        Policy, typer.Option("--policy", help="The one that leads; the other stands beside it.")
    ] = "paper",
    pairing: Annotated[
        Pairing, typer.Option("--pairing", help="Items that comparisons over budgets rest on.")
    ] = "own",
    resamples: Annotated[
        int, typer.Option("--resamples", min=1, help="Of the bootstrap.")
    ] = 10_000,
    clustered: Annotated[
        bool, typer.Option("--clustered", help="Resample question families, not single items.")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Rank runs that do not cover their items, too.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", help="Folder, or address in a bucket; below the root if absent."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the report of a release: tables, figures and pages on which each item can be heard."""
    from voxmem import reporting, road
    from voxmem.analyze.study import Choices
    from voxmem.evaluate.items import open_release

    wanted = reporting.Wanted(
        judges=tuple(judge or ["rule"]),
        choices=Choices(
            policy=policy,
            pairing=pairing,
            resamples=resamples,
            clustered=clustered,
            partial=partial,
        ),
    )
    rows = open_release(root, release)
    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(rows, model, judges=wanted.judges, **options)
    job = reporting.everything(rows, job, systems=model is None, arms=arm is None)
    page = reporting.publish_report(rows, job, wanted, out)
    parts, plain = _estimates(rows, job, wanted.judges[0])
    lines = "\n".join([*parts, f"report: {page}"])
    show({"report": page, **({"estimates": plain} if plain else {})}, as_json, lines)


def _check_server() -> None:
    if not os.environ.get("PREFECT_API_URL"):
        raise UsageError(
            "--on-pools needs a workflow server with its deployments",
            stage="evaluate",
            remedy="voxmem server, voxmem bootstrap, then set PREFECT_API_URL",
        )


def _evaluate_params(
    root: str, release: str, job: Job, *, on_pools: bool = False, spread: int = 1
) -> Any:
    from flows.params import EvaluateParams

    at = {"root": root, "release": release, "on_pools": on_pools, "spread": spread}
    return EvaluateParams(**at, **job.model_dump(mode="json"))


def _estimates(rows: ReleaseRows, job: Job, judge: str) -> tuple[list[str], dict[str, Any]]:
    """What runs that were asked a part of their items say of the whole: as lines, and as JSON."""
    from voxmem import score

    found = score.estimates(rows, job, judge)
    lines = [f"{run}, right of the cells that were asked: {each}" for run, each in found.items()]
    return lines, {run: each.model_dump(mode="json") for run, each in found.items()}
