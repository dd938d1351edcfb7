"""Two judges' marks of the same responses, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from voxmem.analyze.scores import Scores


def aligned(a: Scores, b: Scores) -> tuple[Scores, Scores]:
    """Both with the entrants (by name), budgets and questions that both have, in ``a``'s order."""
    names = _common((one.name for one in a.entrants), (one.name for one in b.entrants))
    budgets = _common(a.budgets, b.budgets)
    asked = _common(
        (one.question_id for one in a.questions), (one.question_id for one in b.questions)
    )
    return _part(a, names, budgets, asked), _part(b, names, budgets, asked)


def _common(a: Iterable[str], b: Iterable[str]) -> list[str]:
    there = set(b)
    return [name for name in a if name in there]


def _part(scores: Scores, names: list[str], budgets: list[str], asked: list[str]) -> Scores:
    who = _places((one.name for one in scores.entrants), names)
    lengths = _places(scores.budgets, budgets)
    what = _places((one.question_id for one in scores.questions), asked)
    return replace(
        scores,
        entrants=tuple(scores.entrants[at] for at in who),
        budgets=tuple(budgets),
        questions=tuple(scores.questions[at] for at in what),
        marks=scores.marks[np.ix_(who, lengths, what)],
    )


def _places(axis: Iterable[str], wanted: list[str]) -> list[int]:
    at = {name: place for place, name in enumerate(axis)}
    return [at[name] for name in wanted]
