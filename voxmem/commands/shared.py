"""Options that several commands have, and how commands show what they found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

RootOption = Annotated[
    str, typer.Option("--root", help="Folder that holds objects, tables and releases.")
]
ReleaseOption = Annotated[str, typer.Option("--release", help="Name or id of a release.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder to write to.")]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object, and nothing else.")
]


def show(data: dict[str, Any], as_json: bool, text: str) -> None:
    """One JSON object, or the text."""
    typer.echo(json.dumps(data, ensure_ascii=False) if as_json else text)
