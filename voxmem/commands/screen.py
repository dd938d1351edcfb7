"""``voxmem screen``: a few weighted questions that rank models as the whole release would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.model_text import UNKNOWN, table
from voxmem.commands.shared import (
    BudgetsOption,
    JsonOption,
    JudgeOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SystemsOption,
    job_options,
    show,
)

if TYPE_CHECKING:
    from voxmem.analyze.scores import Scores
    from voxmem.analyze.screening import Replay
    from voxmem.evaluate.job import Job
    from voxmem.evaluate.subset import ScreeningError, ScreeningSet


def screen(
    out: Annotated[Path, typer.Option("--out", help="File to write the set to.")],
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    per_cell: Annotated[
        int, typer.Option("--per-cell", min=1, help="Questions of each cell, about.")
    ] = 20,
    stopping: Annotated[
        bool,
        typer.Option("--stopping", help="Say how many items each model had needed."),
    ] = False,
    within: Annotated[
        float,
        typer.Option(
            "--within", min=0.001, max=0.5, help="How closely accuracy is to be known, a fraction."
        ),
    ] = 0.05,
    level: Annotated[
        float, typer.Option("--level", min=0.5, max=0.999, help="How surely it is decided.")
    ] = 0.95,
    as_json: JsonOption = False,
) -> None:
    """Choose the questions that best preserve the ranking of models, and their change over length.

    The models are to be evaluated and judged on the whole release; all that were, if none is
    named. Further ones are then asked the set alone: voxmem evaluate --subset screening:FILE.
    """
    from voxmem import road
    from voxmem.analyze.screening import replay
    from voxmem.analyze.screening import screen as chosen_by
    from voxmem.evaluate.subset import write_screening

    options = job_options(budget, None, None, prompts)
    job = road.check_job(root, release, model, judges=(judge,), **options)
    release_id, scores = _scores(root, release, job, judge, everything=not model)
    chosen = chosen_by(scores, release_id=release_id, per_cell=per_cell)
    write_screening(chosen, out)
    needed = replay(scores, chosen, within=within, level=level) if stopping else ()
    data = chosen.model_dump(mode="json") | {"file": str(out)}
    if stopping:
        data["stopping"] = [each.model_dump(mode="json") for each in needed]
    show(data, as_json, _page(chosen, needed, out, within))


def _scores(
    root: str, release: str, job: Job, judge: str, *, everything: bool
) -> tuple[str, Scores]:
    """The release's id, and one judge's marks of a job's runs; of everything that was evaluated:
    without controls, unless there is nothing else."""
    from voxmem import reporting
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    folder = open_root(root)
    rows = ReleaseRows(folder, load(folder, release))
    job = reporting.everything(rows, job, systems=everything, arms=False)
    found = reporting.gathered(rows, job, reporting.Wanted(judges=(judge,))).study.scores
    if everything and found.models.entrants:
        found = found.models
    return rows.release.release_id, found


def _page(chosen: ScreeningSet, needed: Sequence[Replay], out: Path, within: float) -> str:
    population = sum(cell.population for cell in chosen.cells)
    parts = [
        f"{len(chosen.items)} of {population} questions in {len(chosen.cells)} cells, chosen on "
        f"{len(chosen.models)} models at {', '.join(chosen.budgets)}",
        table([_HEAD, *map(_row, chosen.errors)]),
        "Errors are in points (root mean square), of models left out by sets chosen without them.\n"
        "Rankings are correlations with that on all questions.",
    ]
    if needed:
        parts.append(table([_needed_head(within), *map(_needed_row, needed)]))
    parts += ["\n".join(f"- {note}" for note in chosen.notes)] if chosen.notes else []
    parts.append(f"written to {out}\nask it alone with --subset screening:{out}")
    return "\n\n".join(parts)


_HEAD = ("preserved", "chosen on", "left out", "random subset", "random ones beaten")


def _row(row: ScreeningError) -> tuple[str, ...]:
    is_rank = row.measure in ("Kendall", "Spearman")
    name = f"ranking ({row.measure})" if is_rank else row.measure
    values = (row.in_model, row.out_of_model, row.random)
    shown = (_number(value, 1 if is_rank else 100, 3 if is_rank else 1) for value in values)
    beaten = UNKNOWN if row.beaten is None else f"{100 * row.beaten:.0f} %"
    return (name, *shown, beaten)


def _needed_head(within: float) -> tuple[str, ...]:
    return ("model", "budget", "items", "place", "place, nearly", f"±{100 * within:g} points")


def _needed_row(row: Replay) -> tuple[str, ...]:
    counts = (row.items, row.place, row.nearly, row.accuracy)
    return (row.model, row.budget, *(UNKNOWN if each is None else str(each) for each in counts))


def _number(value: float | None, times: int, digits: int) -> str:
    return UNKNOWN if value is None else f"{times * value:.{digits}f}"
