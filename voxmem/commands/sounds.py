"""``voxmem sounds``: which background sounds there are, and how well each is told."""

from __future__ import annotations

from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, show

app = typer.Typer(help="Background sounds.", no_args_is_help=True)


@app.command("list")
def list_sounds(
    sounds: Annotated[
        str, typer.Option("--sounds", help="embedded, or esc50:FOLDER.")
    ] = "embedded",
    as_json: JsonOption = False,
) -> None:
    """Show event, category, scene, variants, licence and how well each was told."""
    from voxmem.quality.calibration.sound_listing import judged_by, rows

    found = rows(sounds)
    judge = judged_by(sounds)
    lines = [
        f"{row.event:<18}{row.category:<22}{row.scene:<13}{row.variants:>4}  {row.told:<26}"
        f"{row.licence}".rstrip()
        for row in found
    ]
    shown = {"sounds": [row.model_dump() for row in found], "judge": judge}
    show(shown, as_json, "\n".join([*lines, "", judge or "not measured"]))
