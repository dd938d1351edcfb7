"""``voxmem verify``: whether a release is still what it was."""

from __future__ import annotations

from typing import Annotated

import typer

from voxmem.commands.shared import JsonOption, ReleaseOption, RootOption, show


def verify(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    every: Annotated[bool, typer.Option("--all", help="Every release of the root.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Re-hash every object and table of a release. Exits with 1 if anything is damaged."""
    from voxmem.console import progress
    from voxmem.errors import UsageError
    from voxmem.progress import report
    from voxmem.retention.verify import verified
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    opened = open_root(root)
    names = opened.releases() if every else [release]
    if not names:
        raise UsageError("there is no release", item=opened.uri, remedy="voxmem build makes one")
    releases = [load(opened, name) for name in names]
    with progress(quiet=as_json):
        found = [
            verified(opened, each, lambda done, total: report("verify", done, total))
            for each in releases
        ]
    problems = [line for each in found for line in each.problems]
    show(
        {
            "release": found[0].release,
            "problems": problems,
            "releases": [each.model_dump(mode="json") for each in found],
        },
        as_json,
        "\n".join(map(str, found)),
    )
    if problems:
        raise typer.Exit(1)
