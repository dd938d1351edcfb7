"""``voxmem gc``: what no release, build or run needs is removed, after a look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, RootOption, show
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from voxmem.retention.plan import Plan

_SAMPLE = 3
"""Names that are shown of each kind."""


def gc(
    root: RootOption = "voxmem-demo",
    older_than: Annotated[
        float, typer.Option("--older-than", min=0, help="Hours: what is younger stays.")
    ] = 24.0,
    unpublished: Annotated[
        list[str] | None,
        typer.Option(
            "--unpublished", help="A build that will not become a release; repeat for several."
        ),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Remove it. Without this, it is only shown.")
    ] = False,
    plan_key: Annotated[
        str | None,
        typer.Option("--plan", help="With --apply: remove this plan, as it was shown, or nothing."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Remove objects and table parts that no release, build or run needs. Shows them first.

    Never while a run is at work. Answers that were paid for, labels and releases always stay.
    """
    from voxmem.retention.collect import collect
    from voxmem.retention.plan import plan
    from voxmem.store.root import open_root

    if plan_key is not None and not apply:
        raise UsageError("--plan is for --apply", stage="gc", remedy="add --apply")
    opened, given_up = open_root(root), tuple(unpublished or ())
    if apply:
        found = collect(opened, older_than=older_than, unpublished=given_up, expected=plan_key)
    else:
        found = plan(opened, older_than=older_than, unpublished=given_up)
    show(_plain(found, removed=apply), as_json, _text(found, removed=apply))


def _plain(found: Plan, *, removed: bool) -> dict[str, object]:
    return {
        "plan": found.key,
        "removed": removed,
        "count": len(found.items),
        "bytes": found.size,
        "items": [
            {"kind": each.kind, "name": each.name, "bytes": each.size} for each in found.items
        ],
    }


def _text(found: Plan, *, removed: bool) -> str:
    from voxmem.retention.plan import KINDS

    if not found.items:
        return "nothing to remove: everything is needed, or younger than --older-than"
    lines = []
    for kind in KINDS:
        items = found.of(kind)
        if items:
            names = [each.name for each in items[:_SAMPLE]] + ["…"] * (len(items) > _SAMPLE)
            size = _size(sum(each.size for each in items))
            lines.append(f"{len(items):>8,} {kind + 's':<10} {size:>10}  {', '.join(names)}")
    whole = f"{len(found.items):,} in all, {_size(found.size)}"
    if removed:
        return "\n".join([*lines, f"removed: {whole} (plan {found.key})"])
    return "\n".join(
        [
            *lines,
            f"not removed: {whole}. This very plan, or nothing, is removed by",
            f"  voxmem gc --apply --plan {found.key}   (with the same options)",
        ]
    )


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count:,} B"
