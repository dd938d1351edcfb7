"""Operation × evidence type (VoxMem, Figures 5 and 8): means over models, and every entrant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.study import Study
from voxmem.analyze.table import Mean, Rate, Table, mean
from voxmem.analyze.tables.groups import (
    Rates,
    cell_groups,
    counting_notes,
    full_runs,
    lacking_notes,
    partial_notes,
)
from voxmem.analyze.tables.span import span, span_notes
from voxmem.records import Record


class CellRow(Record):
    """The unweighted mean of some models in one cell."""

    budget: str
    policy: Policy
    operation: str
    evidence: str
    n: int
    """The questions of the cell that any of them was judged on: with shared items, all of them."""
    accuracy: Mean


class EntrantCellRow(Record):
    """One entrant in one cell."""

    entrant: str
    budget: str
    policy: Policy
    operation: str
    evidence: str
    accuracy: Rate


def make(
    study: Study, *, entrants: Sequence[str] | None = None, pairing: Pairing = "separate"
) -> Table[CellRow]:
    """Means at every budget, each over the full runs there (Figure 5).

    Args:
        study: What was judged.
        entrants: Names of the models that are averaged instead, at every budget.
        pairing: Which items count.

    Raises:
        ValueError: A name is not one of a model that was run on audio.
    """
    notes = partial_notes(study) if entrants is None else (f"Over: {', '.join(entrants)}.",)
    return Table(
        name="operation-by-evidence",
        title="Accuracy by memory operation and evidence type, means over models",
        model=CellRow,
        rows=_means(study, entrants, pairing),
        source="VoxMem, Figure 5",
        notes=(*counting_notes(study, pairing), *notes, *lacking_notes(study.scores)),
    )


def same_models(study: Study) -> Table[CellRow]:
    """Means over the models with full runs at the longest and the shortest budget, on items that
    all of them were judged on at every budget: its panels differ in history length alone
    (Figure 8)."""
    of = span(study, study.choices.policy, "shared")
    names = [one.name for one in of.scores.entrants] if of else []
    return Table(
        name="operation-by-evidence-same-models",
        title="Accuracy by memory operation and evidence type, the same models and items at "
        "every budget",
        model=CellRow,
        rows=_means(study, names, "shared"),
        source="VoxMem, Figure 8",
        notes=(
            *counting_notes(study, "shared"),
            *span_notes(of),
            *lacking_notes(study.scores),
        ),
    )


def by_entrant(study: Study, *, pairing: Pairing = "separate") -> Table[EntrantCellRow]:
    """Every entrant that was run on audio, controls too."""
    scores = study.scores.protocol
    cells = cell_groups(scores)
    rows = []
    for policy in POLICIES:
        rates = Rates(scores, denominators(scores, policy, pairing), cells)
        rows += [
            EntrantCellRow(
                entrant=who.name,
                budget=budget,
                policy=policy,
                operation=cell.operation,
                evidence=cell.evidence,
                accuracy=rates.at(at, place, cell),
            )
            for at, who in enumerate(scores.entrants)
            for place, budget in enumerate(scores.budgets)
            for cell in cells
        ]
    return Table(
        name="operation-by-evidence-by-entrant",
        title="Accuracy by memory operation and evidence type, every entrant",
        model=EntrantCellRow,
        rows=tuple(rows),
        notes=(*counting_notes(study, pairing), *lacking_notes(scores)),
    )


def _means(study: Study, entrants: Sequence[str] | None, pairing: Pairing) -> tuple[CellRow, ...]:
    models = study.scores.models
    scores = models if entrants is None else models.of_entrants(entrants)
    everybody = list(range(len(scores.entrants)))
    cells = cell_groups(scores)
    rows = []
    for policy in POLICIES:
        counted = denominators(scores, policy, pairing)
        rates = Rates(scores, counted, cells)
        for place, budget in enumerate(scores.budgets):
            over = everybody if entrants is not None else full_runs(study, budget, policy)
            judged = counted[over, place].any(axis=0)
            rows += [
                CellRow(
                    budget=budget,
                    policy=policy,
                    operation=cell.operation,
                    evidence=cell.evidence,
                    n=int(np.count_nonzero(judged & mask)),
                    accuracy=mean(rates.values(over, place, cell)),
                )
                for cell, mask in cells.items()
            ]
    return tuple(rows)
