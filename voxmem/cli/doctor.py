"""``voxmem doctor``: what is missing, unreachable, stuck or set wrongly, and what to do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, show
from voxmem.errors import EngineError, UsageError

if TYPE_CHECKING:
    from voxmem.health import Finding


def doctor(
    root: Annotated[
        str | None,
        typer.Option("--root", help="The root that is looked at; that of the server if absent."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Look at this machine, the root, and the workflow server if one is named.

    Exits with 1 if something is wrong.
    """
    from flows.address import without_login
    from voxmem.health import CHECKS, Place, examine

    of_server, known = _server()
    chosen = root or known or os.environ.get("VOXMEM_ROOT") or "voxmem-demo"
    findings = [*examine(CHECKS, Place(chosen)), *of_server]
    wrong = sum(each.status == "wrong" for each in findings)
    warned = sum(each.status == "warn" for each in findings)
    summary = f"{wrong} wrong, {warned} to look at, {len(findings) - wrong - warned} well"
    show(
        {
            "root": without_login(chosen),
            "wrong": wrong,
            "findings": [each.as_json() for each in findings],
        },
        as_json,
        "\n".join([*(each.line() for each in findings), "", summary]),
    )
    if wrong:
        raise typer.Exit(1)


def _server() -> tuple[list[Finding], str | None]:
    from flows.cluster.checks import examine_server
    from voxmem.health import Finding

    try:
        return examine_server()
    except UsageError:
        what = "none is named: commands that compute start one of their own"
        return [Finding("server", "ok", what)], None
    except EngineError as error:
        return [Finding("server", "wrong", error.message, error.remedy or "")], None
