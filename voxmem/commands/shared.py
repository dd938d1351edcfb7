"""Options that several commands have, and how commands show what they found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

RootOption = Annotated[
    str,
    typer.Option("--root", help="Folder or s3://bucket/prefix with objects, tables and releases."),
]
ReleaseOption = Annotated[str, typer.Option("--release", help="Name or id of a release.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder to write to.")]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object, and nothing else.")
]

SystemsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="A model, memory system (NAME or NAME@MODEL) or control; repeat for several. "
        "The controls if absent.",
    ),
]
BudgetsOption = Annotated[
    list[str] | None, typer.Option("--budget", help="Reference budget; repeat for several.")
]
ArmsOption = Annotated[
    list[str] | None,
    typer.Option("--arm", help="How items are told (voxmem arms); repeat for several."),
]
SubsetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--subset",
        help="A part of the items: stratified:N, cell:OPERATION/TYPE, evidence:TYPE, "
        "operation:OPERATION, question:ID, item:ID, screening:FILE; joined by +, or repeated.",
    ),
]
PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="Folder with the four prompts; ours if absent.")
]
JudgeOption = Annotated[
    str,
    typer.Option("--judge", help="rule, MODEL, pre+MODEL, panel:A,B,C or imported:NAME."),
]
JudgesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="rule (if absent), MODEL, pre+MODEL, panel:A,B,C or imported:NAME; repeat for "
        "several: the first one leads.",
    ),
]
AuditorsOption = Annotated[
    list[str] | None,
    typer.Option("--auditor", help="rule (if absent) or a model; repeat for several."),
]
LimitOption = Annotated[
    float | None,
    typer.Option(
        "--limit-usd", min=0.01, help="Stop before so many dollars are passed, all runs together."
    ),
]


def job_options(
    budget: list[str] | None,
    arm: list[str] | None,
    subset: list[str] | None,
    prompts: Path | None,
) -> dict[str, Any]:
    """The options of a job as its fields."""
    return {
        "budgets": tuple(budget) if budget else None,
        "arms": tuple(arm or ("audio",)),
        "subset": tuple(map(_absolute, subset or ())),
        "prompts": str(prompts.absolute()) if prompts else None,
    }


def _absolute(spec: str) -> str:
    """A subset whose file is found from any folder."""
    return "+".join(map(_found, spec.split("+")))


def _found(term: str) -> str:
    kind, _, file = term.strip().partition(":")
    return f"{kind}:{Path(file).absolute()}" if kind == "screening" and file else term


def show(data: dict[str, Any], as_json: bool, text: str) -> None:
    """One JSON object, or the text."""
    typer.echo(json.dumps(data, ensure_ascii=False) if as_json else text)
