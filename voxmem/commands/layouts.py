"""``voxmem export`` and ``voxmem import``: releases in other layouts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxmem.commands.shared import (
    JsonOption,
    OutOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    job_options,
    show,
)

export_app = typer.Typer(help="Write a release in other layouts.", no_args_is_help=True)
import_app = typer.Typer(help="Read data in other layouts.", no_args_is_help=True)


@export_app.command("official")
def export_official(
    out: OutOption,
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    as_json: JsonOption = False,
) -> None:
    """The published dataset's layout: Parquet configs, a dataset card and Croissant metadata."""
    from voxmem import road
    from voxmem.console import progress
    from voxmem.progress import report as say

    with progress(quiet=as_json):
        counts = road.export_official(
            root, release, out, lambda done, total: say("export", done, total)
        )
    lines = "\n".join(f"{config}: {count} rows" for config, count in counts.items())
    show({"out": str(out), "configs": counts}, as_json, f"{lines}\n\nexported to {out}")


@export_app.command("croissant")
def export_croissant(
    out: OutOption,
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    as_json: JsonOption = False,
) -> None:
    """Croissant metadata of an export that is there."""
    from voxmem import road

    file = road.export_croissant(root, release, out)
    show({"file": str(file)}, as_json, f"metadata: {file}")


@export_app.command("predictions")
def export_predictions(
    model: Annotated[str, typer.Option("--model", help="System whose responses are written.")],
    out: Annotated[Path, typer.Option("--out", help="File to write, JSON lines.")],
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    budget: Annotated[
        list[str] | None, typer.Option("--budget", help="Reference budget; may be repeated.")
    ] = None,
    arm: Annotated[str, typer.Option("--arm", help="audio or no-abstention.")] = "audio",
    prompts: PromptsOption = None,
    judge: Annotated[
        str, typer.Option("--judge", help="Whose verdicts are written, where there are any.")
    ] = "rule",
    as_json: JsonOption = False,
) -> None:
    """Responses as prediction rows of the official runner."""
    from voxmem import road
    from voxmem.evaluate.items import open_release
    from voxmem.interop.predictions.write import export_predictions as export
    from voxmem.interop.predictions.write import runs_of
    from voxmem.judge import make_judge
    from voxmem.judge.kept import verdicts

    options = job_options(budget, [arm], None, prompts)
    rows = open_release(root, release)
    job = road.check_job(rows, [model], judges=[judge], **options)
    runs = runs_of(rows, model, budget or (), arm)
    prompts_of_job = job.loaded_prompts()
    count = export(runs, out, judge=judge, prompts=prompts_of_job)
    reader = make_judge(judge, prompts_of_job)
    without = [run.name for run in runs if verdicts(run, reader) is None]
    lines = [f"{count} rows in {out}"]
    if without:
        lines.append(f"without verdicts, as {judge} has not judged all: {', '.join(without)}")
    show({"file": str(out), "rows": count, "without_verdicts": without}, as_json, "\n".join(lines))


@import_app.command("predictions")
def import_predictions(
    files: Annotated[list[Path], typer.Argument(help="Prediction files, JSON lines.")],
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    name: Annotated[
        str | None, typer.Option("--name", help="Of the system; by default that of the model.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read prediction rows of the official runner as responses, to be judged and reported."""
    from voxmem.evaluate.items import open_release
    from voxmem.interop.predictions.load import import_predictions as read

    records = read(open_release(root, release), files, name=name)
    lost = [f"{each.file} line {each.line}: {each.reason}" for each in records[0].lost]
    lines = [
        f"{each.responses} responses of {each.name}"
        + "".join(
            f", with verdicts of {judge}: voxmem report --judge imported:{judge}"
            for judge in each.judges
        )
        for each in records
    ]
    found = {"systems": [each.model_dump(mode="json") for each in records]}
    show(found, as_json, "\n".join([*lines, *(f"lost: {each}" for each in lost)]))


@import_app.command("official")
def import_official(
    sources: Annotated[
        list[str],
        typer.Argument(help="Parquet files, folders that hold them, or owner/name on the hub."),
    ],
    root: RootOption = "voxmem-demo",
    name: Annotated[str, typer.Option("--name", help="Name of the release.")] = "official",
    config: Annotated[
        list[str] | None, typer.Option("--config", help="Config on the hub; may be repeated.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", help="Branch, tag or commit on the hub.")
    ] = None,
    compare: Annotated[
        str | None, typer.Option("--compare", help="A release that the items should equal.")
    ] = None,
    compare_root: Annotated[
        str | None, typer.Option("--compare-root", help="The root of that release, if another.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read the published dataset's layout into a release that can be evaluated."""
    from voxmem import road
    from voxmem.console import progress
    from voxmem.progress import report as say

    with progress(quiet=as_json):
        done, differences = road.import_official(
            root,
            sources,
            compare,
            compare_root,
            name=name,
            configs=config or (),
            revision=revision,
            progress=lambda read, total: say("import", read, total),
        )
    same = [f"equal to {compare}"] if compare is not None and not differences else []
    lines = "\n".join([*done.lines, *same, *differences])
    show({**done.as_json, "differences": differences}, as_json, lines)
    if differences:
        raise typer.Exit(1)
