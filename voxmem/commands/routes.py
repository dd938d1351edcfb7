"""``voxmem routes``: what questions there are."""

from __future__ import annotations

from voxmem.commands.shared import JsonOption, show


def routes(as_json: JsonOption = False) -> None:
    """List the 30 routes and the task forms of each, with an example question."""
    from voxmem.plan.examples import examples

    rows = examples()
    width = max(len(row.route) for row in rows)
    lines = "\n".join(
        f"{row.route:<{width}}  {row.form:<24}{row.answer_type:<14}{row.question} [{row.gold}]"
        for row in rows
    )
    show({"forms": [row.model_dump() for row in rows]}, as_json, lines)
