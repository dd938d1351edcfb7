"""``voxmem verify``: whether a release is still what it was."""

from __future__ import annotations

import typer

from voxmem.commands.shared import JsonOption, ReleaseOption, RootOption, show


def verify(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    as_json: JsonOption = False,
) -> None:
    """Re-hash every object and table of a release."""
    from voxmem.store.release import load
    from voxmem.store.release import verify as verify_release
    from voxmem.store.root import open_root

    opened = open_root(root)
    found = load(opened, release)
    problems = verify_release(opened, found)
    lines = "\n".join(problems) or f"{found.release_id}: {found.objects} objects, all intact"
    show({"release": found.release_id, "problems": problems}, as_json, lines)
    if problems:
        raise typer.Exit(1)
