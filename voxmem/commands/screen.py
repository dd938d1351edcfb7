"""``voxmem screen``: a few weighted questions that rank models as the whole release would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.commands.screen_text import set_page, standing_page
from voxmem.commands.shared import (
    BudgetsOption,
    JsonOption,
    JudgeOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    job_options,
    show,
)
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.subset import ScreeningSet, read_screening, write_screening

if TYPE_CHECKING:
    from voxmem.analyze.scores import Scores
    from voxmem.analyze.screening import Replay


def screen(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="A system; repeat for several. All that were judged on the whole release, "
            "controls apart, if absent.",
        ),
    ] = None,
    budget: BudgetsOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    out: Annotated[Path | None, typer.Option("--out", help="File to write the set to.")] = None,
    per_cell: Annotated[
        int, typer.Option("--per-cell", min=1, help="Questions of each cell, about.")
    ] = 20,
    stopping: Annotated[
        bool, typer.Option("--stopping", help="Say how many items each model had needed.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            help="A set that was chosen before: say what is decided of further models by now.",
        ),
    ] = None,
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
    options = job_options(budget, None, None, prompts)
    if against is not None:
        data, text = _standing(root, release, model, judge, options, against, within, level)
    elif out is not None:
        _check_new(out)
        chosen, needed = _chosen(
            root, release, model, judge, options, per_cell, (within, level) if stopping else None
        )
        write_screening(chosen, out)
        data = chosen.model_dump(mode="json") | {"file": str(out)}
        if stopping:
            data["stopping"] = [each.model_dump(mode="json") for each in needed]
        text = set_page(chosen, needed, out, within)
    else:
        raise UsageError(
            "nothing is to be done",
            stage="screen",
            remedy="say where to write a set (--out), or which one to hold models against "
            "(--against)",
        )
    show(data, as_json, text)


def _chosen(
    root: str,
    release: str,
    model: list[str] | None,
    judge: str,
    options: dict[str, Any],
    per_cell: int,
    stopping: tuple[float, float] | None,
) -> tuple[ScreeningSet, Sequence[Replay]]:
    """A set, and how many of its items each model had needed."""
    from voxmem.analyze.screening import replay
    from voxmem.analyze.screening import screen as chosen_by

    release_id, scores = _scores(root, release, model, judge, options)
    _check_judged(
        model or [], scores, "run voxmem evaluate and voxmem judge for it, or leave it out"
    )
    chosen = chosen_by(scores, release_id=release_id, per_cell=per_cell)
    if stopping is None:
        return chosen, ()
    return chosen, replay(scores, chosen, within=stopping[0], level=stopping[1])


def _standing(
    root: str,
    release: str,
    model: list[str] | None,
    judge: str,
    options: dict[str, Any],
    file: Path,
    within: float,
    level: float,
) -> tuple[dict[str, Any], str]:
    """What is decided by now of models that are asked a set."""
    from voxmem.analyze.screening import replay

    chosen = read_screening(file)
    wanted = model or []
    if not wanted:
        raise UsageError("no model is named", stage="screen", remedy="name some with --model")
    release_id, scores = _scores(root, release, [*wanted, *chosen.models], judge, options)
    if (release_id, scores.judge) != (chosen.release_id, chosen.judge):
        raise UsageError(
            f"the set is of {chosen.release_id} as {chosen.judge} judges it, and not of "
            f"{release_id} and {scores.judge}",
            item=str(file),
            stage="screen",
            remedy="name its release and its judge, or choose a set again",
        )
    asks = f"run voxmem evaluate and voxmem judge with --subset screening:{file}"
    _check_judged(wanted, scores, asks)
    found = replay(scores, chosen, models=wanted, within=within, level=level)
    data = {"standing": [each.model_dump(mode="json") for each in found]}
    return data, standing_page(found, within)


def _check_judged(names: Sequence[str], scores: Scores, remedy: str) -> None:
    answered = [one.name for one in scores.entrants]
    for name in names:
        if name not in answered:
            raise InputError("has no judged responses", item=name, stage="screen", remedy=remedy)


def _check_new(out: Path) -> None:
    """Asserts that no set is written over: models may have been asked it.

    Raises:
        UsageError: The file exists.
    """
    if out.exists():
        raise UsageError(
            "exists already", item=str(out), stage="screen", remedy="name a new file with --out"
        )


def _scores(
    root: str, release: str, model: list[str] | None, judge: str, options: dict[str, Any]
) -> tuple[str, Scores]:
    """The release's id, and one judge's marks; of everything that was evaluated if nothing is
    named: without controls, unless there is nothing else."""
    from voxmem import reporting, road
    from voxmem.evaluate.items import open_release

    rows = open_release(root, release)
    job = road.check_job(rows, model, judges=(judge,), **options)
    job = reporting.everything(rows, job, systems=not model, arms=False)
    wanted = reporting.Wanted(judges=(judge,))
    found = reporting.gathered(rows, job, wanted).study.scores
    if not model and found.models.entrants:
        found = found.models
    return rows.release.release_id, found
