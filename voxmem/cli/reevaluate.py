"""``voxmem reevaluate``: what the nightly re-evaluation would start now, and what it would cost."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from voxmem.commands.shared import (
    ArmsOption,
    AuditorsOption,
    BudgetsOption,
    JsonOption,
    JudgesOption,
    PromptsOption,
    SubsetOption,
    job_options,
    show,
)
from voxmem.errors import UsageError


def reevaluate(
    root: Annotated[
        str | None,
        typer.Option(
            "--root",
            help="Folder or s3://bucket/prefix; what the server says if absent, or else "
            "voxmem-demo.",
        ),
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(
            "--release",
            help="Name or id; what the server says if absent, or else demo.",
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="Only this model; all that are scheduled if absent."),
    ] = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgesOption = None,
    auditor: AuditorsOption = None,
    limit_usd: Annotated[
        float | None,
        typer.Option(
            "--limit-usd",
            min=0.01,
            help="Of one night; what the server says if absent, or else none.",
        ),
    ] = None,
    most_attempts: Annotated[
        int | None,
        typer.Option("--most-attempts", min=1, help="At one step, over all nights; 3 if absent."),
    ] = None,
    day: Annotated[
        str | None,
        typer.Option(
            "--night",
            help="The night whose spending counts, by the day on which it began (UTC), YYYY-MM-DD; "
            "this one if absent.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what the nightly re-evaluation would start now, at what cost. It starts nothing: that is
    what the deployment reevaluate/nightly is for. With a workflow server, it asks that what has
    ended, and what is not given here is as that deployment has it."""
    from flows.night import night
    from voxmem.commands.reevaluate_text import page
    from voxmem.evaluate.items import open_release
    from voxmem.reevaluation import plan

    told = job_options(budget, arm, subset, prompts)
    options = {
        "root": root,
        "release": release,
        "models": model,
        "budgets": budget,
        "arms": arm,
        "subset": list(told["subset"]),
        "prompts": told["prompts"],
        "judges": judge,
        "auditors": auditor,
        "limit_usd": limit_usd,
        "most_attempts": most_attempts,
    }
    asked = night({name: value for name, value in options.items() if value})
    chosen = asked.params.root or "voxmem-demo"
    found = plan(
        open_release(chosen, asked.params.release or "demo"),
        asked.params.goal,
        night=_night(day) if day else asked.tonight,
        state_of=asked.state_of,
    )
    show(found.model_dump(mode="json"), as_json, page(found, chosen, asked.source))


def _night(day: str) -> str:
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageError(f"{day!r} is no day", item="--night", remedy="YYYY-MM-DD") from None
