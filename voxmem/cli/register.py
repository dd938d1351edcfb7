"""``voxmem models register``: a model is added to the catalogue, and the server told of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, show
from voxmem.errors import EngineError, UsageError

if TYPE_CHECKING:
    from voxmem.health import Finding
    from voxmem.models.entry import ModelEntry


def register(
    file: Annotated[
        str, typer.Argument(help="One entry, as YAML or JSON; - reads it from standard input.")
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="In the place of an entry of its name.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Add a model to the catalogue of $VOXMEM_MODELS. With a workflow server, a scheduled one is
    evaluated at once, if its workers read that catalogue."""
    from flows.events import model_registered
    from voxmem.commands.model_text import shown
    from voxmem.models.catalogue import VARIABLE
    from voxmem.models.register import register as add

    entry = add(_text(file), file, os.environ.get(VARIABLE), replace=replace)
    found, lost = None, ""
    try:
        found = model_registered(entry.name)
    except EngineError as error:
        lost = f"the workflow server was not told: {error}"
    if found and found.status != "ok":
        lost = f"{found.what} — {found.remedy}"
    data = {
        "model": shown(entry).model_dump(mode="json"),
        "told": found is not None,
        "known": found is not None and not lost,
    }
    show(data, as_json, f"{entry.name} is in {os.environ[VARIABLE]}; {_next(entry, found)}")
    if lost:
        typer.echo(f"voxmem: {lost}", err=True)


def _next(entry: ModelEntry, found: Finding | None) -> str:
    if found and found.status != "ok":
        return "the workers of the server do not look there"
    if not entry.scheduled:
        return "it is not scheduled: voxmem evaluate runs it"
    return "the workflow server was told" if found else "the nightly re-evaluation finds it"


def _text(file: str) -> str:
    try:
        if file == "-":
            return sys.stdin.buffer.read().decode()
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot be read: {getattr(error, 'strerror', None) or error}",
            item=file,
            stage="models",
        ) from None
