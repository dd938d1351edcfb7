"""``voxmem voices``: whose voice each persona has, and voices out of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, OutOption, show

app = typer.Typer(help="Voices of the personas.", no_args_is_help=True)


@app.command("list")
def list_voices(
    manifest: Annotated[
        str, typer.Option("--manifest", help="A voice manifest; the embedded voices if absent.")
    ] = "embedded",
    as_json: JsonOption = False,
) -> None:
    """Show persona → voice, with licence and reference."""
    from voxmem.speech.voices.listing import rows

    found = rows(manifest)
    lines = "\n".join(
        f"{row.persona:<6}{row.speaker:<12}{row.pitch_register or '':<8}{row.accent or '':<30}"
        f"{row.licence}  {row.reference or ''}".rstrip()
        for row in found
    )
    show({"voices": [row.model_dump() for row in found]}, as_json, lines)


@app.command()
def vctk(
    folder: Annotated[Path, typer.Argument(help="The unpacked VCTK Corpus 0.92.")],
    out: OutOption,
    count: Annotated[int, typer.Option("--count", min=1, help="Personas that get a voice.")] = 30,
    as_json: JsonOption = False,
) -> None:
    """Choose voices far apart from a VCTK folder and write their references and a manifest."""
    from voxmem.console import progress
    from voxmem.quality.voices.corpus import choose_vctk

    with progress(quiet=as_json):
        chosen = choose_vctk(folder, out, count)
    total = (
        f"{len(chosen.voices)} voices of {chosen.speakers} speakers; {chosen.usable} of "
        f"{chosen.recordings} recordings can be cloned from; {len(chosen.faults)} faults"
    )
    show(
        {
            "manifest": str(chosen.manifest),
            "voices": {persona: voice.speaker for persona, voice in chosen.voices.items()},
            "speakers": chosen.speakers,
            "recordings": chosen.recordings,
            "usable": chosen.usable,
            "faults": chosen.faults,
        },
        as_json,
        "\n".join([*chosen.faults, total, f"\nmanifest: {chosen.manifest}"]),
    )
