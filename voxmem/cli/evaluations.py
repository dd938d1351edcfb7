"""``voxmem evaluate``, ``judge`` and ``report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.cli.running import engine
from voxmem.commands.shared import (
    ArmsOption,
    BudgetsOption,
    JsonOption,
    JudgeOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    SystemsOption,
    job_options,
    show,
)
from voxmem.evaluate.policy import PreflightPolicy

if TYPE_CHECKING:
    from voxmem.evaluate.job import Job


def evaluate(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    limit_usd: Annotated[
        float | None,
        typer.Option(
            "--limit-usd",
            min=0.01,
            help="Stop before so many dollars are passed, all runs together.",
        ),
    ] = None,
    prompts: PromptsOption = None,
    preflight: Annotated[
        PreflightPolicy,
        typer.Option("--preflight", help="What follows if a model fails its trial."),
    ] = "refuse",
    on_pools: Annotated[
        bool,
        typer.Option("--on-pools", help="Run each model on its work pool, as a deployment."),
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
    from voxmem import road

    job = road.check_job(
        root,
        release,
        model,
        allow_gate_model=allow_gate_model,
        limit_usd=limit_usd,
        preflight=preflight,
        **job_options(budget, arm, subset, prompts),
    )
    found = road.evaluated(root, release, job)
    if found is None:
        road.check_known(root, release, job)
        with engine(root, quiet=as_json):
            from flows.evaluate import evaluate as flow
            from voxmem.evaluate.summary import Summary

            params = _evaluate_params(root, release, job, on_pools=on_pools)
            found = [Summary.model_validate(each) for each in flow(params)]
    lines = "\n".join(f"{each.run}: {each}" for each in found)
    show({"runs": {each.run: each.model_dump(mode="json") for each in found}}, as_json, lines)
    if not all(each.is_done for each in found):
        typer.echo("some items have no answer: the same command asks them again", err=True)
        raise typer.Exit(1)


def judge(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    as_json: JsonOption = False,
) -> None:
    """Judge the responses of systems."""
    from voxmem import road

    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(root, release, model, judge=judge, **options)
    statuses = road.judged(root, release, job, judge)
    if statuses is None:
        with engine(root, quiet=as_json):
            from flows.judge import judge as flow
            from flows.params import JudgeParams

            params = _evaluate_params(root, release, job)
            statuses = flow(JudgeParams(**params.model_dump(), judge=judge))
    parts, plain = _estimates(root, release, job, judge)
    lines = [f"{run}: {_counts(counts)}" for run, counts in statuses.items()]
    show({"runs": statuses, "estimates": plain}, as_json, "\n".join([*lines, *parts]))


def report(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the report.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the report of a release: tables, figures and pages on which each item can be heard."""
    from voxmem import road

    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(root, release, model, judge=judge, **options)
    page = road.write_report(root, release, job, judge, out)
    parts, plain = _estimates(root, release, job, judge)
    lines = "\n".join([*parts, f"report: {page}"])
    show({"report": str(page), **({"estimates": plain} if plain else {})}, as_json, lines)


def _evaluate_params(root: str, release: str, job: Job, *, on_pools: bool = False) -> Any:
    from flows.params import EvaluateParams

    return EvaluateParams(
        root=root, release=release, on_pools=on_pools, **job.model_dump(mode="json")
    )


def _estimates(root: str, release: str, job: Job, judge: str) -> tuple[list[str], dict[str, Any]]:
    """What runs that were asked a part of their items say of the whole: as lines, and as JSON."""
    from voxmem import road

    found = road.estimates(root, release, job, judge)
    lines = [f"{run}: {each} right of the whole" for run, each in found.items()]
    return lines, {run: each.model_dump(mode="json") for run, each in found.items()}


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "nothing"
