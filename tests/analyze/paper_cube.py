"""One set of marks that has all of the paper's numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.analyze.paper import (
    BUDGETS,
    COMPLETE,
    MODELS,
    PAPER,
    REJECTED,
    Leaf,
    leaves,
    questions,
    shown,
)
from tests.analyze.paper_counts import counts
from voxmem import keys
from voxmem.analyze.entrants import entrant
from voxmem.analyze.scores import Codes, Mark, Scores


@cache
def cube() -> Scores:
    """All models at all budgets, judged; the five that have no full run at 64K got through the
    first hundred items of it, all of them right."""
    starts = np.cumsum([0, *leaves().values()])
    marks = np.full((len(MODELS), len(BUDGETS), len(questions())), Mark.INCORRECT, dtype=np.uint8)
    for at, model in enumerate(MODELS):
        gains = _gains(model)
        for place, leaf in enumerate(leaves()):
            of_leaf = marks[at, :, starts[place] : starts[place + 1]]
            _fill(of_leaf, model, leaf, gains[place])
    for model in set(MODELS) - set(COMPLETE):
        marks[MODELS.index(model), -1] = Mark.OUT_OF_SET
        marks[MODELS.index(model), -1, :100] = Mark.CORRECT
    return Scores(tuple(entrant(shown(one)) for one in MODELS), BUDGETS, questions(), marks, "j-1")


def _fill(marks: Codes, model: str, leaf: Leaf, gain: int) -> None:
    """Marks one leaf, ``[budgets, items]``. The easiest items are right; at 64K as many others are
    as are gained there."""
    place = list(leaves()).index(leaf)
    for at, budget in enumerate(BUDGETS):
        lost = REJECTED.get(budget, {}).get(model, {}).get(leaf, 0)
        marks[at, marks.shape[1] - lost :] = Mark.REJECTED
    hard = _hardness(model, leaf, marks.shape[1])
    drawn = np.flatnonzero((marks != Mark.REJECTED).all(axis=0))
    drawn = drawn[np.argsort(hard[drawn])]
    spare = np.flatnonzero((marks == Mark.REJECTED).any(axis=0))
    first = counts("8K")[model][place]
    for at, budget in enumerate(BUDGETS):
        if model not in counts(budget):
            continue
        right = counts(budget)[model][place]
        gained = min(gain, right) if budget == "64K" else 0
        order = [*drawn, *(item for item in spare if marks[at, item] != Mark.REJECTED)]
        chosen = [*order[: right - gained], *order[first : first + gained]]
        marks[at, chosen] = Mark.CORRECT


def _hardness(model: str, leaf: Leaf, n: int) -> NDArray[np.float64]:
    """``float [items]``: in part what they are for all models."""
    shared = keys.numpy_rng("paper", *leaf).random(n)
    own = keys.numpy_rng("paper", model, *leaf).random(n)
    return ALIKE * shared + (1 - ALIKE) * own


ALIKE = 0.6
"""How far items are hard for all models alike."""


def _gains(model: str) -> NDArray[np.int64]:
    """By leaf: items that are wrong at 8K and right at 64K, as many as make the interval of the
    model's drop as wide as it is printed: its variance is that of the discordant items."""
    if model not in COMPLETE:
        return np.zeros(len(leaves()), dtype=np.int64)
    before, after = counts("8K")[model], counts("64K")[model]
    _, _, drop, low, high = (value / 100 for value in PAPER["table_18_by_model"][model][:5])
    n = len(questions())
    discordant = ((high - low) / 3.92) ** 2 * n + drop**2
    wanted = round(n * (discordant - drop) / 2)
    least = np.maximum(0, after - before)
    most = np.minimum(after, np.array(list(leaves().values())) - before)
    share = np.clip((wanted - least.sum()) / max(1, (most - least).sum()), 0, 1)
    return least + np.floor(share * (most - least)).astype(np.int64)
