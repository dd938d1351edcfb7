"""``voxmem arms``: the ways in which an item can be told."""

from __future__ import annotations

from voxmem.commands.shared import JsonOption, show


def arms(as_json: JsonOption = False) -> None:
    """List the ways of telling an item to a system under test."""
    from voxmem.evaluate.arms import ARMS

    rows = [{"name": arm.name, "what": arm.what} for arm in ARMS.values()]
    width = max(len(name) for name in ARMS) + 2
    show({"arms": rows}, as_json, "\n".join(f"{row['name']:<{width}}{row['what']}" for row in rows))
