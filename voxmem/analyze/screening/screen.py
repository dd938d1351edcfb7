"""Chooses a screening set, and measures it on models that it was not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from voxmem import keys
from voxmem.analyze.accuracy import Policy
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.screening.cells import CellMarks, Floats, aim_of, cells_of, changes
from voxmem.analyze.screening.choose import Selection, choose_cell
from voxmem.analyze.screening.errors import (
    Accuracies,
    Misfit,
    at_random,
    each_of_its_own,
    everything,
    misfit,
)
from voxmem.analyze.table import Table
from voxmem.errors import UsageError
from voxmem.evaluate.subset import ScreenedCell, ScreeningError, ScreeningItem, ScreeningSet

PER_CELL = 20
DRAWS = 200
"""Random subsets that the set is compared with."""
_WHOLE = 0.9
"""The share of its items below which a run was asked a part alone."""

_MEASURES = (
    ("accuracy", "accuracy", False),
    ("cell accuracy", "cell_accuracy", False),
    ("change over length", "change", False),
    ("Kendall", "kendall", True),
    ("Spearman", "spearman", True),
)
"""Name, field of :class:`Misfit`, and whether more is better."""


def screen(
    scores: Scores,
    *,
    release_id: str,
    per_cell: int = PER_CELL,
    policy: Policy = "paper",
    draws: int = DRAWS,
) -> ScreeningSet:
    """The set of about so many questions a cell that best preserves what all questions say of the
    entrants; what is minimised is in :mod:`~voxmem.analyze.screening.choose`.

    Its errors are given for the entrants that it was chosen on; for entrants left out one at a
    time, each estimated by a set that was chosen on the others; and for random subsets.

    Raises:
        UsageError: No entrant has a judged answer, or not one question a cell is wanted.
    """
    if per_cell < 1:
        raise UsageError("a set has one question a cell or more", stage="screen")
    scores, left_out = _with_answers(scores, policy)
    cells = cells_of(scores, policy)
    if not scores.entrants or not cells:
        raise UsageError(
            "no system has a judged answer, so nothing says which questions tell models apart",
            stage="screen",
            remedy="evaluate and judge several models on the whole release first",
        )
    change = changes(scores, np.asarray(scores.counted(policy).any(axis=2)))
    chosen = _chosen(cells, change, per_cell)
    truth = Accuracies.of(cells, everything(cells))
    inside = misfit(Accuracies.of(cells, chosen), truth, change)
    outside = _out_of_model(cells, change, per_cell, truth)
    drawn = [
        misfit(Accuracies.of(cells, at_random(cells, per_cell, draw)), truth, change)
        for draw in range(draws)
    ]
    errors = tuple(
        _compared(name, field, more, inside, outside, drawn) for name, field, more in _MEASURES
    )
    return ScreeningSet(
        release_id=release_id,
        judge=scores.judge,
        policy=policy,
        models=tuple(one.name for one in scores.entrants),
        budgets=_budgets(scores, policy),
        per_cell=per_cell,
        cells=_cells(cells, chosen, outside),
        items=_items(cells, chosen),
        errors=errors,
        notes=(*scores.notes, *left_out, *_notes(errors, len(scores.entrants), cells, per_cell)),
    )


def errors_table(chosen: ScreeningSet) -> Table[ScreeningError]:
    """How well a set preserves what all questions say."""
    return Table(
        name="screening-errors",
        title=f"What {len(chosen.items)} questions preserve of "
        f"{sum(cell.population for cell in chosen.cells)}",
        model=ScreeningError,
        rows=chosen.errors,
        notes=chosen.notes,
    )


def _with_answers(scores: Scores, policy: Policy) -> tuple[Scores, tuple[str, ...]]:
    """The entrants of whom anything is counted, at the budgets that are of use; notes on what is
    left out."""
    scores, parts = _whole(scores)
    there = np.asarray(scores.counted(policy).any(axis=(1, 2)))
    names = [one.name for one in scores.entrants]
    kept = [name for name, has in zip(names, there, strict=True) if has]
    lost = [name for name, has in zip(names, there, strict=True) if not has]
    note = (f"{', '.join(lost)}: without a judged answer, left out",) if lost else ()
    return scores.of_entrants(kept), (*parts, *note)


def _whole(scores: Scores) -> tuple[Scores, tuple[str, ...]]:
    """Without the runs that were asked a part alone, such as an earlier set: what they say of the
    other questions is nothing, and the same set would be chosen again for it."""
    asked = scores.asked.sum(axis=1)
    there = (scores.marks > Mark.ABSENT).sum(axis=2)
    parts = np.argwhere((there > 0) & (there < _WHOLE * asked))
    marks, notes = scores.marks.copy(), []
    for one, at in parts.tolist():
        marks[one, at][marks[one, at] > Mark.ABSENT] = Mark.ABSENT
        run = f"{scores.entrants[one].name} {scores.budgets[at]}"
        notes.append(f"{run}: {there[one, at]} of {asked[at]} items judged, left out")
    return replace(scores, marks=marks), tuple(notes)


def _budgets(scores: Scores, policy: Policy) -> tuple[str, ...]:
    """Those at which anything is counted."""
    there = np.asarray(scores.counted(policy).any(axis=(0, 2)))
    return tuple(name for name, has in zip(scores.budgets, there, strict=True) if has)


def _chosen(cells: Sequence[CellMarks], change: Floats, per_cell: int) -> list[Selection]:
    aim = aim_of(cells, change)
    return [choose_cell(cell, aim, per_cell) for cell in cells]


def _out_of_model(
    cells: Sequence[CellMarks], change: Floats, per_cell: int, truth: Accuracies
) -> Misfit | None:
    """What sets say of the entrant that each was chosen without; ``None`` if there is but one."""
    number = len(change)
    if number < 2:
        return None
    folds = []
    for at in range(number):
        others = np.delete(np.arange(number), at)
        chosen = _chosen([cell.of(others) for cell in cells], change[others], per_cell)
        folds.append(Accuracies.of(cells, chosen))
    found, ranks = each_of_its_own(folds)
    return misfit(found, truth, change, ranks)


def _compared(
    name: str,
    field: str,
    more_is_better: bool,
    inside: Misfit,
    outside: Misfit | None,
    drawn: Sequence[Misfit],
) -> ScreeningError:
    values = [value for each in drawn if (value := getattr(each, field)) is not None]
    found = getattr(outside, field) if outside else None
    sign = 1 if more_is_better else -1
    beaten = None
    if values and found is not None:
        gains = sign * (found - np.array(values))
        same = np.isclose(gains, 0.0, atol=1e-9)
        beaten = float(np.mean((gains > 0) & ~same) + np.mean(same) / 2)
    return ScreeningError.model_validate(
        {
            "measure": name,
            "in_model": getattr(inside, field),
            "out_of_model": found,
            "random": float(np.mean(values)) if values else None,
            "beaten": beaten,
        }
    )


def _cells(
    cells: Sequence[CellMarks], chosen: Sequence[Selection], outside: Misfit | None
) -> tuple[ScreenedCell, ...]:
    errors = outside.cells if outside else (None,) * len(cells)
    return tuple(
        ScreenedCell(cell=cell.name, population=cell.size, asked=len(part.at), error=error)
        for cell, part, error in zip(cells, chosen, errors, strict=True)
    )


def _items(cells: Sequence[CellMarks], chosen: Sequence[Selection]) -> tuple[ScreeningItem, ...]:
    """In a random order: whoever stops early has seen a sample of the set."""
    found = [
        ScreeningItem(question_id=cell.questions[at], weight=float(weight), cell=cell.name)
        for cell, part in zip(cells, chosen, strict=True)
        for at, weight in zip(part.at, part.weights, strict=True)
    ]
    return tuple(sorted(found, key=lambda item: keys.key("screening order", item.question_id)))


def _notes(
    errors: Sequence[ScreeningError], models: int, cells: Sequence[CellMarks], per_cell: int
) -> list[str]:
    if all(cell.size <= per_cell for cell in cells):
        return [f"no cell has more than {per_cell} questions: the set is the whole release"]
    if models < 2:
        return [
            "chosen on one model: nothing says how well it holds for another, and judge and "
            "report give no error"
        ]
    notes = []
    if models < 5:
        notes.append(f"chosen on {models} models: the errors out of model are rough")
    for row in errors:
        if row.out_of_model is None or row.random is None:
            continue
        ranks = row.measure in ("Kendall", "Spearman")
        gain = (row.out_of_model - row.random) * (1 if ranks else -1)
        if gain <= 0:
            notes.append(f"{row.measure}: no better out of model than a random subset")
    return notes
