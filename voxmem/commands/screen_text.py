"""How screening sets, and what is decided by them, are printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from voxmem.commands.model_text import UNKNOWN, table
from voxmem.evaluate.subset import ScreeningError, ScreeningSet

if TYPE_CHECKING:
    from voxmem.analyze.screening import Replay


def set_page(chosen: ScreeningSet, needed: Sequence[Replay], out: Path, within: float) -> str:
    """What a set preserves, and how many of its items each model had needed."""
    population = sum(cell.population for cell in chosen.cells)
    models = len(chosen.models)
    parts = [
        f"{len(chosen.items)} of {population} questions in {len(chosen.cells)} cells, chosen on "
        f"{models} {'model' if models == 1 else 'models'} at {', '.join(chosen.budgets)}",
        table([_HEAD, *map(_row, chosen.errors)]),
        "Errors are in points (root mean square), of models left out by sets chosen without them.\n"
        "Rankings are correlations with that on all questions.",
    ]
    if needed:
        parts.append(table([_needed_head(within), *map(_needed_row, needed)]))
    parts += ["\n".join(f"- {note}" for note in chosen.notes)] if chosen.notes else []
    parts.append(f"written to {out}\nask it alone with --subset screening:{out}")
    return "\n\n".join(parts)


def standing_page(found: Sequence[Replay], within: float) -> str:
    """What is decided by now of models that are asked a set."""
    lines = [table([_needed_head(within), *map(_needed_row, found)])]
    return "\n".join([*lines, *(f"{each.model} {each.budget}: {_open(each)}" for each in found)])


_HEAD = ("preserved", "chosen on", "left out", "random subset", "random ones beaten")


def _row(row: ScreeningError) -> tuple[str, ...]:
    is_rank = row.measure in ("Kendall", "Spearman")
    name = f"ranking ({row.measure})" if is_rank else row.measure
    values = (row.in_model, row.out_of_model, row.random)
    shown = (_number(value, 1 if is_rank else 100, 3 if is_rank else 1) for value in values)
    beaten = UNKNOWN if row.beaten is None else f"{100 * row.beaten:.0f} %"
    return (name, *shown, beaten)


def _needed_head(within: float) -> tuple[str, ...]:
    known = f"±{100 * within:g} points"
    return ("model", "budget", "asked", "of", "on the set, %", "place", "place, nearly", known)


def _needed_row(row: Replay) -> tuple[str, ...]:
    counts = (row.place, row.nearly, row.accuracy)
    share = UNKNOWN
    if row.low is not None and row.high is not None:
        low, high = f"{100 * row.low:.1f}", f"{100 * row.high:.1f}"
        share = low if low == high else f"{low} to {high}"
    shown = (UNKNOWN if each is None else f"after {each}" for each in counts)
    return (row.model, row.budget, str(row.asked), str(row.items), share, *shown)


def _open(row: Replay) -> str:
    if row.undecided:
        return f"still open against {', '.join(row.undecided)}"
    if row.place is not None:
        return "its place on the set is decided"
    if not row.asked:
        return "the first item of the set was not asked"
    return "there is no other model to hold it against"


def _number(value: float | None, times: int, digits: int) -> str:
    return UNKNOWN if value is None else f"{times * value:.{digits}f}"
