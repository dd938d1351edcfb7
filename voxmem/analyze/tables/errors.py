"""Which errors a table is about: one budget, some evidence types, the entrants with a full run
(VoxMem, Appendix E: 64K, the three audio-native types, the ten models with a complete run)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from voxmem.analyze.attribution.records import ERROR_CLASSES, Attribution
from voxmem.analyze.scores import Bools, Mark, Scores
from voxmem.analyze.study import Study
from voxmem.analyze.tables.groups import ALL, full_runs
from voxmem.records import AskedQuestion
from voxmem.taxonomy import ACOUSTIC, OPERATION_OF, EvidenceType, Subtype

By = Literal["operation", "evidence", "subtype", "all"]
Group = tuple[By, str]
LEAST = 5
"""Attributed errors that an entrant × evidence cell needs to count in a macro-average."""


@dataclass(frozen=True)
class Population:
    """The errors at one budget."""

    scores: Scores
    """Of the entrants that are looked at."""
    budget: str
    evidence: tuple[EvidenceType, ...]
    attributions: dict[str, tuple[Attribution, ...]]
    """Auditor → those of these entrants, this budget and these questions."""

    @cached_property
    def groups(self) -> dict[Group, Bools]:
        """Group → ``bool [questions]``, those that hold an answerable question."""
        own = self.scores.where(stratum="answerable") & np.isin(
            [one.evidence_type.value for one in self.scores.questions],
            [one.value for one in self.evidence],
        )
        found: dict[Group, Bools] = {}
        for operation in dict.fromkeys(OPERATION_OF.values()):
            found["operation", operation.value] = own & self.scores.where(operation=operation)
        for subtype in Subtype:
            found["subtype", subtype.value] = own & self.scores.where(subtype=subtype)
        for evidence in self.evidence:
            found["evidence", evidence.value] = own & self.scores.where(evidence_type=evidence)
        return {name: mask for name, mask in found.items() if mask.any()} | {("all", ALL): own}

    def marked(self, group: Group, *marks: Mark) -> int:
        """How many responses to a group have one of these marks."""
        at = self.scores.marks[:, self.scores.budget(self.budget)][:, self.groups[group]]
        return int(np.count_nonzero(np.isin(at, marks)))

    def attempts(self, group: Group) -> int:
        """How many responses to a group were counted under the paper's policy."""
        counted = self.scores.counted("paper")[:, self.scores.budget(self.budget)]
        return int(np.count_nonzero(counted[:, self.groups[group]]))

    def members(self, auditor: str, group: Group) -> list[Attribution]:
        """The attributions of one group."""
        names = {self.scores.questions[at].question_id for at in np.flatnonzero(self.groups[group])}
        return [row for row in self.attributions[auditor] if row.question_id in names]

    def cells(self, auditor: str, group: Group) -> list[Counter[str]]:
        """Error class → errors, for every entrant × evidence cell of a group that has at least
        :data:`LEAST`."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for row in self.members(auditor, group):
            if row.error_class is not None:
                cell = (row.system, self.asked[row.question_id].evidence_type.value)
                found.setdefault(cell, Counter())[row.error_class] += 1
        return [cell for cell in found.values() if cell.total() >= LEAST]

    @cached_property
    def asked(self) -> dict[str, AskedQuestion]:
        return {one.question_id: one for one in self.scores.questions}

    @property
    def notes(self) -> tuple[str, ...]:
        """What it is, for below a table."""
        types = ", ".join(one.value for one in self.evidence)
        entrants = ", ".join(one.name for one in self.scores.entrants) or "none"
        lines = [f"Budget {self.budget}; evidence types: {types}; entrants: {entrants}."]
        if not self.attributions:
            lines.append("No errors were attributed: run voxmem attribute.")
        return (*lines, f"Judge: {self.scores.judge}.")


def population(
    study: Study,
    budget: str | None = None,
    evidence: Collection[EvidenceType] = ACOUSTIC,
    entrants: Sequence[str] | None = None,
) -> Population | None:
    """The errors of a study; ``None`` where it has no budget or no model.

    Args:
        budget: The longest if ``None``.
        evidence: The audio-native types, as the paper has it.
        entrants: By name; those with a full run at the budget if ``None``.
    """
    models = study.scores.models
    if not models.budgets or not models.entrants:
        return None
    at = budget or models.budgets[-1]
    if entrants is None:
        entrants = [models.entrants[one].name for one in full_runs(study, at, "paper")]
    scores = models.of_entrants(entrants)
    systems = {(one.system, one.arm) for one in scores.entrants}
    types = tuple(evidence)
    asked = {
        one.question_id
        for one in scores.questions
        if one.gold is not None and one.evidence_type in types
    }
    found = {
        auditor: tuple(
            row
            for row in rows
            if row.budget == at and (row.system, row.arm) in systems and row.question_id in asked
        )
        for auditor, rows in study.attributions.items()
    }
    return Population(scores, at, types, found)


def tally(rows: Collection[Attribution]) -> dict[str, int]:
    """Error class → errors; every class is there."""
    counts = Counter(row.error_class for row in rows if row.error_class is not None)
    return {name: counts[name] for name in ERROR_CLASSES}
