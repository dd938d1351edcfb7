"""``voxmem quote``: what an evaluation will come to, before anything is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.commands.shared import (
    ArmsOption,
    BudgetsOption,
    JsonOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    SystemsOption,
    job_options,
    show,
)

if TYPE_CHECKING:
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.evaluate.job import Job
    from voxmem.evaluate.quote import Quote


def quote(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: Annotated[
        str, typer.Option("--judge", help="Who judges: rule, MODEL, pre+MODEL or panel:A,B,C.")
    ] = "rule",
    limit_usd: Annotated[
        float | None,
        typer.Option("--limit-usd", min=0.01, help="How much of it so many dollars pay for."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what an evaluation will come to: tokens, dollars, seconds and bytes."""
    from voxmem import road
    from voxmem.commands.quote_text import page
    from voxmem.evaluate.items import open_release
    from voxmem.evaluate.quote import paid, total
    from voxmem.judge import make_judge

    options = job_options(budget, arm, subset, prompts)
    rows = open_release(root, release)
    job = road.check_job(rows, model, limit_usd=limit_usd, **options)
    make_judge(judge)  # there is one of that name
    quotes = _quotes(rows, job, judge)
    whole = total([each.run for each in quotes])
    limits = [] if limit_usd is None else paid(quotes, limit_usd)
    data: dict[str, Any] = {
        "runs": [each.run.model_dump(mode="json") for each in quotes],
        "total": whole.model_dump(mode="json"),
    }
    if limit_usd is not None:
        data |= {"limit_usd": limit_usd, "paid": [each._asdict() for each in limits]}
    show(data, as_json, page([each.run for each in quotes], whole, limits))


def _quotes(rows: ReleaseRows, job: Job, judge: str) -> list[Quote]:
    """A quote for every run of a job, of its items in the order in which they are asked."""
    from voxmem.evaluate.quote import quote as quoted
    from voxmem.evaluate.runner import items_of

    return [
        quoted(run, items_of(run, job.questions(rows, run.budget)), judge=judge)
        for run in job.runs(rows)
    ]
