"""``voxmem audit``: checks that people make."""

from __future__ import annotations

import typer

from voxmem.commands.audit.clips import clips

app = typer.Typer(help="Checks that people make.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps the name of the one command there is so far."""


app.command()(clips)
