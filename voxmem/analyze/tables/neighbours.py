"""Each model beside the next one in rank, in every cell of the taxonomy: where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.paired import Paired, holm, paired
from voxmem.analyze.statistics.resample import Shares, observed, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import cell_groups, counting_notes
from voxmem.analyze.tables.pairwise import independence_notes
from voxmem.records import Record


class NeighboursRow(Record):
    """Two models in one cell, at one budget."""

    a: str
    b: str
    """The next one in overall accuracy."""
    budget: str
    policy: Policy
    operation: str
    evidence: str
    n: int
    """Items that both were judged on."""
    a_only: int
    """Right by ``a`` alone."""
    b_only: int
    difference: Interval
    """The accuracy of ``a`` less that of ``b``, paired."""
    p_mcnemar: float | None
    p_holm: float | None
    """Adjusted for all cells of these two at this budget."""


def make(study: Study) -> Table[NeighboursRow]:
    """The models on audio, at every budget."""
    notes = [*counting_notes(study)]
    if len(study.scores.models.entrants) < 2:
        notes.append("There are no two models to compare.")
    else:
        notes.append("Exact McNemar tests; Holm's adjustment is over the cells of two models.")
        notes += independence_notes(study)
    return Table(
        name="neighbours",
        title="Neighbours in rank, cell by cell",
        model=NeighboursRow,
        rows=tuple(
            row
            for at in range(len(study.scores.budgets))
            for policy in POLICIES
            for row in _rows(study, at, policy)
        ),
        notes=tuple(notes),
    )


def _rows(study: Study, at: int, policy: Policy) -> Iterator[NeighboursRow]:
    models = study.scores.models
    right, counted = models.right[:, at], models.counted(policy)[:, at]
    pairs = list(pairwise(_ranked(right, counted)))
    groups = cell_groups(models)
    found = [
        paired(resampler(study), right.T, (counted & mask).T, pairs) for mask in groups.values()
    ]
    for place, (a, b) in enumerate(pairs):
        cells: list[Paired] = [of_cell[place] for of_cell in found]
        adjusted = holm([one.mcnemar for one in cells])
        for cell, one, p in zip(groups, cells, adjusted, strict=True):
            yield NeighboursRow(
                a=models.entrants[a].name,
                b=models.entrants[b].name,
                budget=models.budgets[at],
                policy=policy,
                operation=cell.operation.value,
                evidence=cell.evidence.value,
                n=one.n,
                a_only=one.a_only,
                b_only=one.b_only,
                difference=one.difference,
                p_mcnemar=one.mcnemar,
                p_holm=p,
            )


def _ranked(right: Bools, counted: Bools) -> list[int]:
    """The places of the models that have a number, best first."""
    values = observed(Shares(right.T, counted.T))
    order = np.argsort(-values, kind="stable")
    return [int(at) for at in order if np.isfinite(values[at])]
