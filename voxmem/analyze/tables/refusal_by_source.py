"""Answer refusal by evidence type and by the source's operation (VoxMem, Table 17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.study import Study
from voxmem.analyze.table import Mean, Table, mean
from voxmem.analyze.tables.groups import (
    ALL,
    Rates,
    counting_notes,
    full_runs,
    lacking_notes,
    partial_notes,
)
from voxmem.records import Record
from voxmem.taxonomy import SUBTYPES, EvidenceType

Source = Literal["all", "evidence", "source_operation"]


class RefusalRow(Record):
    """The mean of the full runs on one group of refusal items."""

    budget: str
    policy: Policy
    by: Source
    """What the items are grouped by."""
    value: str
    """An evidence type, or the operation of the answerable item that they were derived from."""
    n: int
    """The refusal items of the group that the release asks at this budget."""
    accuracy: Mean


def make(study: Study, *, pairing: Pairing = "separate") -> Table[RefusalRow]:
    """Means over the full runs at every budget."""
    scores = study.scores.models
    groups = _groups(scores)
    rows = []
    for policy in POLICIES:
        rates = Rates(scores, denominators(scores, policy, pairing), groups)
        for place, budget in enumerate(scores.budgets):
            over: Sequence[int] = full_runs(study, budget, policy)
            rows += [
                RefusalRow(
                    budget=budget,
                    policy=policy,
                    by=by,
                    value=value,
                    n=int(np.count_nonzero(mask & scores.asked[place])),
                    accuracy=mean(rates.values(over, place, (by, value))),
                )
                for (by, value), mask in groups.items()
            ]
    return Table(
        name="refusal-by-source",
        title="Answer refusal by evidence type and by operation of the source item",
        model=RefusalRow,
        rows=tuple(rows),
        source="VoxMem, Table 17",
        notes=(*counting_notes(study, pairing), *partial_notes(study), *lacking_notes(scores)),
    )


def _groups(scores: Scores) -> dict[tuple[Source, str], Bools]:
    """Those that hold a refusal item, after the group of all of them."""
    refusal = scores.where(stratum="refusal")
    found: dict[tuple[Source, str], Bools] = {("all", ALL): refusal}
    for one in EvidenceType:
        found["evidence", one.value] = refusal & scores.where(evidence_type=one)
    for operation, subtypes in SUBTYPES.items():
        if subtypes:
            asked = scores.where(source_operation=operation)
            found["source_operation", operation.value] = refusal & asked
    return {name: mask for name, mask in found.items() if mask.any()}
