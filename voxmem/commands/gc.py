"""``voxmem gc``: what no release, build or run needs is removed, after a look at it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, RootOption, show
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from voxmem.retention.plan import Plan
    from voxmem.store.root import Root

_SAMPLE = 3
"""Names that are shown of each kind."""


def gc(
    root: RootOption = "voxmem-demo",
    older_than: Annotated[
        float,
        typer.Option(
            "--older-than", min=0, help="Hours: what is younger stays; in a bucket at least one."
        ),
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
        typer.Option(
            "--plan",
            help="With --apply, and other options as before: remove this plan, as it was shown, or "
            "nothing.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Remove objects and table parts that no release, build or run needs. Shows them first.

    Never while a run is at work. Answers that were paid for, labels and releases always stay.
    """
    from voxmem.retention.collect import collect
    from voxmem.retention.plan import hours_kept, plan

    if plan_key is not None and not apply:
        raise UsageError("--plan is for --apply", stage="gc", remedy="add --apply")
    opened, given_up = _opened(root), tuple(unpublished or ())
    hours = hours_kept(opened, older_than)
    if apply:
        found = collect(opened, older_than=hours, unpublished=given_up, expected=plan_key)
    else:
        found = plan(opened, older_than=hours, unpublished=given_up)
    again = ["--root", shlex.quote(opened.uri), "--older-than", f"{hours:g}"]
    again += [part for build in given_up for part in ("--unpublished", shlex.quote(build))]
    lines = [f"nothing to remove: everything is needed, or younger than {hours:g} h"]
    if found.items:
        lines = _removed(found) if apply else _shown(found, " ".join(again))
    show(_plain(found, removed=apply), as_json, "\n".join(lines))


def _opened(uri: str) -> Root:
    from voxmem.store.root import open_root

    root = open_root(uri)
    if not root.blobs.names(""):
        raise UsageError(
            "there is nothing in this root",
            item=root.uri,
            stage="gc",
            remedy="name another with --root; voxmem build makes one",
        )
    return root


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


def _removed(found: Plan) -> list[str]:
    return [*_listed(found), f"removed: {_whole(found)} (plan {found.key})"]


def _shown(found: Plan, options: str) -> list[str]:
    return [
        *_listed(found),
        f"not removed: {_whole(found)}. This very plan, or nothing, is removed by",
        f"  voxmem gc {options} --apply --plan {found.key}",
    ]


def _whole(found: Plan) -> str:
    return f"{len(found.items):,} in all, {_size(found.size)}"


def _listed(found: Plan) -> list[str]:
    from voxmem.retention.plan import KINDS

    lines = []
    for kind in KINDS:
        items = found.of(kind)
        if items:
            names = [each.name for each in items[:_SAMPLE]] + ["…"] * (len(items) > _SAMPLE)
            size = _size(sum(each.size for each in items))
            lines.append(f"{len(items):>8,} {kind + 's':<10} {size:>10}  {', '.join(names)}")
    return lines


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count:,} B"
