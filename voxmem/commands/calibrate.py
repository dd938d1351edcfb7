"""``voxmem calibrate``: how often the session gate errs, and the thresholds it should have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, show


def calibrate(
    out: Annotated[Path, typer.Option("--out", help="Folder to write to.")] = Path("calibration"),
    clips: Annotated[
        int | None,
        typer.Option("--clips", min=1, help="Sentences of each half; enough of them if absent."),
    ] = None,
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check", help="What to measure, by name; repeat for several. All if absent."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure false accepts and false rejects of the session gate's checks; set its thresholds."""
    from voxmem.config import Speech
    from voxmem.console import progress
    from voxmem.quality.calibration.document import as_text
    from voxmem.quality.calibration.run import calibrate as run
    from voxmem.speech.studio import open_studio

    with progress(quiet=as_json):
        found = run(open_studio(Speech()), out, sentences=clips, only=check or ())
    show(
        {"calibration": found.model_dump(mode="json"), "folder": str(out)},
        as_json,
        f"{as_text(found)}\n\ncalibration {found.revision} in {out}",
    )
