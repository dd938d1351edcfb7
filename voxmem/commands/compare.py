"""``voxmem compare``: two runs, or two releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.commands.shared import (
    BudgetsOption,
    JsonOption,
    JudgeOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    show,
)

if TYPE_CHECKING:
    from voxmem.analyze.comparison import Reference
    from voxmem.commands.compare_sides import Opening


def compare(
    a: Annotated[
        str,
        typer.Argument(
            help="A system, with settings where it has its own: SYSTEM,arm=…,release=…,judge=…; "
            "or a release."
        ),
    ],
    b: Annotated[str, typer.Argument(help="The other one, written alike.")],
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    judge: JudgeOption = "rule",
    budget: BudgetsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    resamples: Annotated[
        int, typer.Option("--resamples", min=100, help="Of the paired bootstrap.")
    ] = 10_000,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs on their common items, or two releases: what changed, and is it chance.

    Names whatever else is not the same on both sides: judge, rubrics, prompt, adapter, arm,
    release, decoding, coverage.
    """
    from voxmem.analyze.comparison import parse_reference
    from voxmem.commands.compare_sides import Opening

    opening = Opening(root, release, judge, budget, subset, _path(prompts))
    one, other = parse_reference(a), parse_reference(b)
    kinds = opening.is_release(one), opening.is_release(other)
    if all(kinds):
        data, text = _releases(opening, one, other, resamples)
    else:
        data, text = _runs(opening, one, other, kinds, resamples)
    show(data, as_json, text)


def _runs(
    opening: Opening, one: Reference, other: Reference, kinds: tuple[bool, bool], resamples: int
) -> tuple[dict[str, Any], str]:
    from voxmem.analyze.comparison import compare_runs
    from voxmem.commands.compare_text import run_page
    from voxmem.errors import UsageError

    if any(kinds):
        names = (one, other) if kinds[0] else (other, one)
        raise UsageError(
            f"{names[0].name!r} is a release, and {names[1].name!r} is none",
            stage="compare",
            remedy="name two systems, or two releases",
        )
    found = compare_runs(opening.side(one), opening.side(other), resamples=resamples)
    data = {
        "a": found.a,
        "b": found.b,
        "differences": [each.model_dump() for each in found.differences],
        "groups": found.table.records(),
        "flips": [each.model_dump() for each in found.flips],
        "abstention": [each.model_dump() for each in found.abstention],
        "notes": list(found.table.notes),
    }
    return data, run_page(found)


def _releases(
    opening: Opening, one: Reference, other: Reference, resamples: int
) -> tuple[dict[str, Any], str]:
    from voxmem.analyze.comparison import Common, compare_releases, compare_runs
    from voxmem.commands.compare_text import release_page

    common = Common(opening.rows(one.of_release()), opening.rows(other.of_release()))
    found = compare_releases(common)
    runs = [
        compare_runs(*sides, common=common, resamples=resamples, groupings=("all", "stratum"))
        for sides in opening.shared_systems(common.a, common.b)
    ]
    data = {
        "a": found.a,
        "b": found.b,
        "changes": [each.model_dump() for each in found.changes],
        "cells": [each.model_dump() for each in found.cells],
        "settings": [each.model_dump() for each in found.settings],
        "systems": {run.a: run.table.records() for run in runs},
    }
    return data, release_page(found, runs)


def _path(folder: Path | None) -> str | None:
    return str(folder.absolute()) if folder else None
