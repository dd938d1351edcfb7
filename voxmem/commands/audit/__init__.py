"""``voxmem audit``: checks that people make."""

from __future__ import annotations

import typer

from voxmem.commands.audit.clips import clips
from voxmem.commands.audit.errors import errors
from voxmem.commands.audit.verdicts import verdicts

app = typer.Typer(help="Checks that people make.", no_args_is_help=True)
app.command()(clips)
app.command()(verdicts)
app.command()(errors)
