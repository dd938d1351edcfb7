"""``voxmem models``: what can be evaluated, how it is run, and whether it is driven well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, RootOption, show
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from voxmem.evaluate.preflight import Need
    from voxmem.models.told import Told

app = typer.Typer(help="Models and other systems that can be evaluated.")

NameArgument = Annotated[str, typer.Argument(help="As voxmem models list names it.")]


@app.callback(invoke_without_command=True)
def models(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the systems that can be evaluated, or one of the commands below."""
    if context.invoked_subcommand is None:
        list_models(as_json)


@app.command("list")
def list_models(as_json: JsonOption = False) -> None:
    """List models with their sizes and status, memory systems and controls."""
    from voxmem.commands.model_text import listing, shown
    from voxmem.models.catalogue import catalogue

    entries = catalogue()
    systems = _systems()
    show(
        {
            "models": [shown(entry).model_dump(mode="json") for entry in entries.values()],
            "systems": [{"name": name, "kind": kind} for name, kind in systems.items()],
        },
        as_json,
        listing(list(entries.values()), systems),
    )


@app.command("show")
def show_model(name: NameArgument, as_json: JsonOption = False) -> None:
    """Show all that is known of a model, and what serves it, ready to paste."""
    from voxmem.commands.model_text import page, shown
    from voxmem.models.catalogue import catalogue

    entries = catalogue()
    systems = _systems()
    if name in entries:
        entry = shown(entries[name])
        show(entry.model_dump(mode="json"), as_json, page(entry))
    elif name in systems:
        kind = systems[name]
        show({"name": name, "kind": kind}, as_json, f"{name} — a {kind}: it needs no entry")
    else:
        raise _unknown(name, [*entries, *systems])


@app.command()
def preflight(
    name: NameArgument,
    root: RootOption = "voxmem-demo",
    release: Annotated[
        str | None,
        typer.Option("--release", help="Try as much as this release's histories ask for."),
    ] = None,
    budget: Annotated[
        list[str] | None, typer.Option("--budget", help="Of that release; all if absent.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Even if it was tried before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Try a model out before it is asked any item; what is found is kept in the root."""
    import asyncio

    from voxmem.commands.model_text import findings
    from voxmem.console import progress
    from voxmem.evaluate import preflight as trial
    from voxmem.models.backend import open_entry
    from voxmem.models.catalogue import catalogue
    from voxmem.store.root import open_root

    entries = catalogue()
    if name not in entries:
        raise _unknown(name, entries)
    folder = open_root(root)
    folder.check_writable()
    needs, longest = _asked_for(root, release, budget)
    entry = entries[name]
    candidate = open_entry(entry)
    found = None if again else trial.found(folder, candidate, needs)
    if found is None:
        with progress(quiet=as_json):
            found = asyncio.run(trial.run(candidate, entry, needs=needs, longest=longest))
        trial.keep(folder, found)
    show(found.model_dump(mode="json"), as_json, findings(found))
    if any(found.refusals(need.budget) for need in needs):
        raise typer.Exit(1)


def _asked_for(
    root: str, release: str | None, budgets: list[str] | None
) -> tuple[tuple[Need, ...], dict[str, Told]]:
    """What histories ask for, by budget, and the longest item of each."""
    from voxmem.evaluate.items import open_release
    from voxmem.evaluate.job import budgets as all_budgets
    from voxmem.evaluate.preflight import DEFAULT, longest_told, needs_of
    from voxmem.prompts import load as load_prompts

    if release is None:
        return (DEFAULT,), {}
    rows = open_release(root, release)
    known = all_budgets(rows)
    unknown = [name for name in budgets or () if name not in known]
    if unknown:
        raise UsageError(
            f"the release has no budget {unknown[0]!r}",
            stage="preflight",
            remedy=f"choose one of: {', '.join(known)}",
        )
    prompts = load_prompts()
    wanted = budgets or known
    return needs_of(rows, wanted, prompts), longest_told(rows, wanted, prompts)


def _systems() -> dict[str, str]:
    """Name → kind, of what is no model of the catalogue."""
    from voxmem.evaluate import controls
    from voxmem.memory import listener, systems
    from voxmem.models.registry import SYSTEMS

    assert systems.NAMES, listener.Listener  # importing them registers their systems
    known = {*controls.CONTROLS, *controls.LEARNERS}
    return {name: "control" if name in known else "memory system" for name in sorted(SYSTEMS)}


def _unknown(name: str, known: Iterable[str]) -> UsageError:
    return UsageError(
        "there is no such model",
        item=name,
        stage="models",
        remedy=f"choose one of: {', '.join(sorted(known))}",
    )
