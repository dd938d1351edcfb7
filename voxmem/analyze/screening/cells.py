"""The marks of some models, cell by cell: what a screening set is chosen from and tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.analyze.accuracy import Policy
from voxmem.analyze.labels import budget_tokens
from voxmem.analyze.scores import Bools, Scores
from voxmem.evaluate.subset import stratum_of

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class CellMarks:
    """The questions of one cell, and what became of them.

    Shapes: ``bool [models, budgets, questions]``.
    """

    name: str
    questions: tuple[str, ...]
    """In an order that says nothing: where two are as good, the first is taken."""
    right: Bools
    counted: Bools
    """Only what is counted is right or wrong."""

    @property
    def size(self) -> int:
        return len(self.questions)

    def of(self, models: Places) -> CellMarks:
        """The same for some models."""
        return CellMarks(self.name, self.questions, self.right[models], self.counted[models])


@dataclass(frozen=True)
class Aim:
    """What a choice of questions in one cell is to preserve, besides the cell's accuracies."""

    change: Floats
    """``[models, budgets]``, of :func:`changes`."""
    skill: Floats
    """``[models]``: accuracies over all cells, centred and scaled to a spread of one."""
    others: int
    """How many other cells there are."""


def aim_of(cells: Sequence[CellMarks], change: Floats) -> Aim:
    """That of some cells, all of the same models."""
    right, counted = (sum(part) for part in zip(*map(_counts, cells), strict=True))
    accuracy = np.divide(right, counted, out=np.zeros(len(change)), where=counted > 0)
    skill, spread = accuracy - accuracy.mean(), accuracy.std()
    return Aim(change, skill / spread if spread > 0 else skill, len(cells) - 1)


def _counts(cell: CellMarks) -> tuple[Floats, Floats]:
    """``[models]``: how many were right, and how many counted, at all budgets together."""
    return (
        cell.right.sum(axis=(1, 2), dtype=np.float64),
        cell.counted.sum(axis=(1, 2), dtype=np.float64),
    )


def cells_of(scores: Scores, policy: Policy) -> tuple[CellMarks, ...]:
    """Every cell of a release, refusals among them; questions that no budget asks are left out."""
    counted = scores.counted(policy)
    asked = np.flatnonzero(scores.asked.any(axis=0))
    members: dict[str, list[int]] = {}
    for one in asked.tolist():
        members.setdefault(stratum_of(scores.questions[one]), []).append(one)
    names = [question.question_id for question in scores.questions]
    found = []
    for name in sorted(members):
        at = sorted(members[name], key=lambda one: keys.key("screening", names[one]))
        found.append(
            CellMarks(
                name,
                tuple(names[one] for one in at),
                scores.right[:, :, at] & counted[:, :, at],
                counted[:, :, at],
            )
        )
    return tuple(found)


def changes(scores: Scores, run: Bools) -> Floats:
    """``float [models, budgets]``: what makes the accuracies of a model its change over length.

    That is the line of least squares over log2 of the nominal tokens, from the shortest to the
    longest budget that the model was run at. All zero where it was run at one.

    Args:
        run: ``bool [models, budgets]``.
    """
    length = np.log2([budget_tokens(name) for name in scores.budgets])
    found = np.zeros(run.shape)
    for model, there in enumerate(run):
        if there.sum() > 1:
            x = length[there] - length[there].mean()
            found[model, there] = x / (x @ x) * np.ptp(x)
    return found
