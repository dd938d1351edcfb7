"""The groups of questions and of entrants that tables are made of, and the share of each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, Literal, TypeVar, get_args

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate
from voxmem.taxonomy import CELLS, Cell, EvidenceType

Stratum = Literal["all", "answerable", "refusal"]
STRATA: tuple[Stratum, ...] = get_args(Stratum)
ALL = "all"
"""The group of everything."""

K = TypeVar("K", bound=Hashable)


def evidence_groups(scores: Scores) -> dict[str, Bools]:
    """Evidence type → ``bool [questions]``, those that are asked about, then :data:`ALL`."""
    found = {one.value: scores.where(evidence_type=one) for one in EvidenceType}
    return {name: mask for name, mask in found.items() if mask.any()} | {ALL: scores.where()}


def stratum_groups(scores: Scores) -> dict[Stratum, Bools]:
    """Stratum → ``bool [questions]``."""
    return {one: scores.where(**({} if one == ALL else {"stratum": one})) for one in STRATA}


def cell_groups(scores: Scores) -> dict[Cell, Bools]:
    """Cell → ``bool [questions]``, those that are asked about, in the paper's order."""
    found = {
        cell: scores.where(operation=cell.operation, evidence_type=cell.evidence) for cell in CELLS
    }
    return {cell: mask for cell, mask in found.items() if mask.any()}


class Rates(Generic[K]):
    """The share of every group of questions, for each entrant and budget."""

    def __init__(self, scores: Scores, counted: Bools, groups: Mapping[K, Bools]) -> None:
        """
        Args:
            scores: The marks.
            counted: ``bool [entrants, budgets, questions]``: what is in the denominator.
            groups: Name → ``bool [questions]``.
        """
        self._place = {name: at for at, name in enumerate(groups)}
        masks = np.zeros((len(scores.questions), len(groups)), dtype=np.int64)
        for at, mask in enumerate(groups.values()):
            masks[:, at] = mask
        self._correct = (scores.right & counted) @ masks
        self._n = counted @ masks
        self._expected = scores.asked @ masks

    def at(self, entrant: int, budget: int, group: K) -> Rate:
        """Of one group; entrant and budget by their places on the axes."""
        where = (entrant, budget, self._place[group])
        return Rate(
            correct=int(self._correct[where]),
            n=int(self._n[where]),
            expected=int(self._expected[where[1:]]),
        )

    def values(self, entrants: Iterable[int], budget: int, group: K) -> list[float | None]:
        """The shares of several entrants."""
        return [self.at(entrant, budget, group).value for entrant in entrants]


# --- entrants -----------------------------------------------------------------------------------

MEAN_GROUPS = ("proprietary", "open-weight", "audio-specialist", "omni-modal", ALL)
"""Of whom means are shown: the paper's two, the two that the second is made of, everybody."""


def belongs(one: Entrant, group: str) -> bool:
    """Whether an entrant is in one of :data:`MEAN_GROUPS`."""
    return group == ALL or (group == "open-weight" and one.is_open_weight) or group == one.group


def full_runs(study: Study, budget: str, policy: Policy) -> list[int]:
    """The places, among the models, of those that a mean at a budget is over: full runs, or all
    that have anything if the study lets partial runs count."""
    models = study.scores.models
    if study.choices.partial:
        counted = models.counted(policy)[:, models.budget(budget)].any(axis=1)
        return [int(at) for at in np.flatnonzero(counted)]
    names = {one.name for one in models.complete_at(budget, policy).entrants}
    return [at for at, one in enumerate(models.entrants) if one.name in names]


# --- what is said below a table -----------------------------------------------------------------


def counting_notes(study: Study, pairing: str | None = None) -> tuple[str, ...]:
    """By whom it was judged, and what is in the denominators."""
    notes = [
        f"Judge: {study.scores.judge}.",
        "Policy “paper” counts failed and unreadable answers as wrong; “code” leaves them out.",
    ]
    if pairing is not None:
        notes.append(_PAIRINGS[pairing])
    return tuple(notes)


_PAIRINGS = {
    "own": "Each entrant is scored on the items that it was judged on at every budget it was "
    "run at.",
    "shared": "All are scored on one set: the items that each was judged on at every budget.",
    "separate": "At each budget whatever was judged there is scored.",
}


def partial_notes(study: Study) -> tuple[str, ...]:
    """Which runs are not full, and so in no mean."""
    models = study.scores.models
    if not models.entrants:
        return ("No model was run on audio.",)
    notes = []
    for budget in models.budgets:
        full = {one.name for one in models.complete_at(budget).entrants}
        names = [one.name for one in models.entrants if one.name not in full]
        if names:
            how = "counted in means all the same" if study.choices.partial else "in no mean"
            notes.append(f"Not a full run at {budget}, {how}: {', '.join(names)}.")
    return tuple(notes)


def lacking_notes(scores: Scores) -> tuple[str, ...]:
    """Which strata and evidence types the questions do not hold."""
    lacking: list[str] = [name for name, mask in stratum_groups(scores).items() if not mask.any()]
    present = evidence_groups(scores)
    lacking += [one.value for one in EvidenceType if one.value not in present]
    if not scores.questions:
        return ("There are no questions.",)
    return (f"No questions of: {', '.join(lacking)}.",) if lacking else ()
