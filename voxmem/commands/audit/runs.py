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
        "Those that need no model, and all that were imported, if absent.",
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
    from voxmem import road, score
    from voxmem.commands.shared import job_options
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.evaluate.predicted import imported_predictions
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    opened = open_root(root)
    rows = ReleaseRows(opened, load(opened, release))
    systems = model or [*score.EMBEDDED.systems, *imported_predictions(rows)]
    job = road.check_job(root, release, systems, **job_options(budget, arm, None, None))
    return job.runs(rows)
