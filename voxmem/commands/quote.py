"""``voxmem quote``: what an evaluation will come to, before anything is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.commands.shared import JsonOption, ReleaseOption, RootOption, show

if TYPE_CHECKING:
    from voxmem.evaluate.quote import Quote


def quote(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: Annotated[
        list[str] | None, typer.Option("--model", help="System to run; repeat for several.")
    ] = None,
    budget: Annotated[
        list[str] | None, typer.Option("--budget", help="Reference budget; repeat for several.")
    ] = None,
    arm: Annotated[str, typer.Option("--arm", help="How items are told.")] = "audio",
    subset: Annotated[
        list[str] | None,
        typer.Option("--subset", help="Part of the items, such as stratified:100; all if absent."),
    ] = None,
    judge: Annotated[
        str, typer.Option("--judge", help="Who judges: rule, or a model of the catalogue.")
    ] = "rule",
    limit_usd: Annotated[
        float | None,
        typer.Option("--limit-usd", min=0, help="How much of it so many dollars pay for."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what an evaluation will come to: tokens, dollars, seconds and bytes."""
    from voxmem.commands.quote_text import page
    from voxmem.evaluate.quote import paid, total

    quotes = _quotes(root, release, model, budget, arm, subset, judge)
    whole = total([each.run for each in quotes])
    limits = [] if limit_usd is None else paid(quotes, limit_usd)
    data: dict[str, Any] = {
        "runs": [each.run.model_dump(mode="json") for each in quotes],
        "total": whole.model_dump(mode="json"),
    }
    if limit_usd is not None:
        data["limit_usd"] = limit_usd
        data["paid"] = [each._asdict() for each in limits]
    show(data, as_json, page([each.run for each in quotes], whole, limits))


def _quotes(
    root: str,
    release: str,
    models: list[str] | None,
    budgets: list[str] | None,
    arm: str,
    subset: list[str] | None,
    judge: str,
) -> list[Quote]:
    """A quote for every system and budget.

    Raises:
        UsageError: There is no such release, system, budget, arm, judge or subset.
    """
    from voxmem.evaluate import controls
    from voxmem.evaluate.arms import arm_named
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.evaluate.quote import quote as quote_run
    from voxmem.evaluate.run import Run
    from voxmem.evaluate.runner import items_of
    from voxmem.evaluate.subset import choose, parse
    from voxmem.memory import systems  # importing a module registers its systems
    from voxmem.models.registry import create
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    assert systems.NAMES
    arm_named(arm)
    folder = open_root(root)
    rows = ReleaseRows(folder, load(folder, release))
    names = models or list(controls.CONTROLS)
    chosen = choose(parse(subset or "all"), rows.asked.values(), rows.histories)
    wanted = budgets or list(dict.fromkeys(history.budget for history in rows.histories))
    quotes = []
    for name in names:
        system = create(name)
        for budget in wanted:
            run = Run(rows, system, budget, arm)
            items = [item for item in items_of(run) if chosen.has(item.history)]
            quotes.append(quote_run(run, items, judge=judge))
    return quotes
