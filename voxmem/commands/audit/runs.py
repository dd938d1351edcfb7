"""The runs whose responses people are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from voxmem.evaluate.run import Run

SystemsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="A model, memory system, control or name of imported predictions; repeat for several. "
        "All that answered if absent.",
    ),
]


def wanted_runs(
    root: str,
    release: str,
    model: list[str] | None,
    budget: list[str] | None,
    arm: list[str] | None,
) -> list[Run]:
    """One a system, arm and budget, whether it has responses or not.

    Raises:
        UsageError: There is no such release, system, budget or arm.
    """
    from voxmem import reporting, road
    from voxmem.commands.shared import job_options
    from voxmem.evaluate.items import open_release

    rows = open_release(root, release)
    job = road.check_job(rows, model, **job_options(budget, arm, None, None))
    return reporting.everything(rows, job, systems=not model, arms=False).runs(rows)
