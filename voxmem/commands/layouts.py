"""``voxmem export`` and ``voxmem import``: releases in other layouts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, OutOption, ReleaseOption, RootOption, show

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


@import_app.command("official")
def import_official(
    paths: Annotated[list[Path], typer.Argument(help="Parquet files, or folders that hold them.")],
    root: RootOption = "voxmem-demo",
    compare: Annotated[
        str | None, typer.Option("--compare", help="A release that the items should equal.")
    ] = None,
    compare_root: Annotated[
        str | None, typer.Option("--compare-root", help="The root of that release, if another.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read the published dataset's layout: items as a table, their audio as objects."""
    from voxmem import road

    count, differences = road.import_official(root, paths, compare, compare_root)
    same = "" if compare is None else f", equal to {compare}"
    lines = "\n".join(differences) or f"{count} items in the table official_items{same}"
    show({"items": count, "differences": differences}, as_json, lines)
    if differences:
        raise typer.Exit(1)
