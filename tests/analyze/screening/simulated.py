"""Answers of imaginary models: questions differ in difficulty, models in skill and endurance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.analyze.marks import BUDGETS
from tests.evaluate.populations import population
from voxmem import keys
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark, Scores

SIZES = (40, 55, 30, 44, 34, 36, 30, 50, 27, 38, 32, 30, 21, 30, 25)


def crowd(models: int, sizes: Sequence[int] = SIZES, seed: int = 0) -> Scores:
    """The marks of some models on a release with so many questions a cell, at four budgets."""
    rng = keys.numpy_rng("crowd", seed)
    questions = population(sizes)
    skill, fall = rng.normal(-0.3, 1.0, models), np.abs(rng.normal(0.25, 0.15, models))
    hard = np.repeat(rng.normal(0.0, 0.7, len(sizes)), sizes) + rng.normal(0, 2.0, len(questions))
    own = rng.normal(0.0, 0.6, (models, 1, len(questions)))
    length = np.arange(len(BUDGETS))
    logit = skill[:, None, None] - fall[:, None, None] * length[:, None] - hard + own
    right = rng.random(logit.shape) < 1 / (1 + np.exp(-logit))
    return Scores(
        tuple(Entrant(name=f"m{at}", system=f"m{at}") for at in range(models)),
        BUDGETS,
        tuple(questions),
        np.where(right, Mark.CORRECT, Mark.INCORRECT).astype(np.uint8),
        "rule-1",
    )
