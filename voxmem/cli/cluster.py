"""``voxmem server`` and ``voxmem bootstrap``: a workflow server, and what it needs."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, show
from voxmem.errors import UsageError

InfrastructureOption = Annotated[
    str | None,
    typer.Option(
        "--infrastructure",
        help="What new work pools run flows in: process (if absent), docker or kubernetes.",
    ),
]
PoolsOption = Annotated[
    list[str] | None,
    typer.Option("--pool", help="POOL=INFRASTRUCTURE, for one pool; repeat for several."),
]
ImageOption = Annotated[
    str | None,
    typer.Option("--image", help="Container image; {pool} stands for the pool's name."),
]
ScheduledOption = Annotated[
    bool | None,
    typer.Option(
        "--scheduled/--no-schedule",
        help="Switch the nightly re-evaluation on or off.",
        show_default=False,
    ),
]


def bootstrap(
    infrastructure: InfrastructureOption = None,
    pool: PoolsOption = None,
    root: Annotated[
        str | None, typer.Option("--root", help="Where flows keep everything, from now on.")
    ] = None,
    release: Annotated[
        str | None, typer.Option("--release", help="The release that is evaluated, from now on.")
    ] = None,
    limit_usd: Annotated[
        float | None,
        typer.Option("--limit-usd", help="What one night may spend, from now on."),
    ] = None,
    home: Annotated[
        str | None,
        typer.Option(
            "--home", help="Absolute folder of the workers that relative roots are below."
        ),
    ] = None,
    notify: Annotated[
        str | None,
        typer.Option("--notify", help="Block that failures are told through: slack-webhook/team."),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(
            "--models", help="Catalogue of models, added to ours: a file, or s3://bucket/NAME."
        ),
    ] = None,
    image: ImageOption = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule", help="Cron expression of five fields, in UTC: the nightly re-evaluation."
        ),
    ] = None,
    scheduled: ScheduledOption = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove what is ours and declared no longer.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Give the workflow server its pools, deployments, schedules, variables and automations.

    What was changed on the server on purpose stays: pauses, limits, schedules, variables.
    """
    from flows.cluster.bootstrap import bootstrap as run
    from flows.cluster.wishes import Wishes

    asked = {
        "voxmem_root": root,
        "voxmem_release": release,
        "voxmem_limit_usd": limit_usd,
        "voxmem_home": home,
        "voxmem_notify": notify,
        "voxmem_models": models,
    }
    wishes = Wishes(
        infrastructure=infrastructure,
        pools=dict(map(_assigned, pool or ())),
        variables={name: value for name, value in asked.items() if value is not None},
        image=image,
        schedule=schedule,
        scheduled=True if schedule and scheduled is None else scheduled,
        prune=prune,
        dry_run=dry_run,
    )
    changes = run(wishes)
    changed = sum(change.is_change for change in changes)
    lines = [line for change in changes for line in change.lines(dry_run=dry_run)]
    would = "would change" if dry_run else "changed"
    lines.append(f"\n{changed} of {len(changes)} {would}" if changed else "\nnothing has changed")
    show(
        {"changed": changed, "dry_run": dry_run, "changes": [each.as_json() for each in changes]},
        as_json,
        "\n".join(lines),
    )


def _assigned(text: str) -> tuple[str, str]:
    name, _, kind = text.partition("=")
    if not kind:
        raise UsageError(f"{text!r} is not POOL=INFRASTRUCTURE", item="--pool")
    return name, kind


def server(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 4200,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", help="How browsers reach it, such as https://voxmem.lab."),
    ] = None,
    auth_file: Annotated[
        Path | None, typer.Option("--auth-file", help="File with one line, user:password.")
    ] = None,
) -> None:
    """Start a workflow server with the settings that voxmem needs; it runs until it is ended.

    Its database is SQLite, or PostgreSQL if PREFECT_SERVER_DATABASE_CONNECTION_URL names one. A
    server that others can reach asks for a login.
    """
    from flows.cluster.serving import served

    found = served(host, port, public_url, auth_file)
    typer.echo(f"export PREFECT_API_URL={found.url}")
    if found.login is not None:
        typer.echo(f'export PREFECT_API_AUTH_STRING="$(cat {shlex.quote(str(found.login))})"')
    sys.stdout.flush()
    if found.environment.get("PREFECT_LOGGING_LEVEL") == "CRITICAL":
        found.environment.pop("PREFECT_LOGGING_LEVEL")  # ours, for commands that report errors
    os.execve(found.command[0], found.command, found.environment)
