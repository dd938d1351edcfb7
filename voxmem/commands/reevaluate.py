"""``voxmem reevaluate``: what the nightly re-evaluation would start now, and what it would cost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from voxmem.commands.shared import (
    ArmsOption,
    AuditorsOption,
    BudgetsOption,
    JsonOption,
    JudgesOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    job_options,
    show,
)


def reevaluate(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
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
        float | None, typer.Option("--limit-usd", min=0.01, help="Of one night, in dollars.")
    ] = None,
    most_attempts: Annotated[
        int, typer.Option("--most-attempts", min=1, help="At one step, over all nights.")
    ] = 3,
    night: Annotated[
        str | None,
        typer.Option("--night", help="The day whose spending counts, YYYY-MM-DD; today if absent."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what the nightly re-evaluation would start now, at what cost. It starts nothing: that is
    what the deployment reevaluate/nightly is for."""
    from voxmem.commands.reevaluate_text import page
    from voxmem.evaluate.items import open_release
    from voxmem.reevaluation import Goal, plan

    goal = Goal(
        models=tuple(model or ()),
        **job_options(budget, arm, subset, prompts),
        judges=tuple(judge or ("rule",)),
        auditors=tuple(auditor or ("rule",)),
        limit_usd=limit_usd,
        most_attempts=most_attempts,
    )
    found = plan(
        open_release(root, release),
        goal,
        night=night or datetime.now(UTC).date().isoformat(),
        state_of=lambda flow_run: "unknown",
    )
    show(found.model_dump(mode="json"), as_json, page(found))
