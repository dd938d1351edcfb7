"""How many items of a screening set each model had needed until everything was decided."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from voxmem.analyze.scores import Scores
from voxmem.analyze.screening.stopping import LEVEL, Look, looks
from voxmem.evaluate.subset import ScreeningSet
from voxmem.records import Record


class Replay(Record):
    """One model at one budget, as if it was new and the others were known."""

    model: str
    budget: str
    items: int
    """Of the set."""
    place: int | None
    """Items until its place among the others was decided; ``None``: there is no other."""
    nearly: int | None
    """Items until it was decided against four in five of them."""
    accuracy: int
    """Items until its accuracy was known closely enough."""


def replay(
    scores: Scores, chosen: ScreeningSet, *, within: float = 0.05, level: float = LEVEL
) -> tuple[Replay, ...]:
    """Every model of a set at every budget that it was run at.

    Args:
        within: How closely the accuracy is to be known, on both sides (a fraction).
    """
    scores = scores.of_entrants(chosen.models)
    right = scores.right & scores.counted(chosen.policy)
    run = np.asarray(scores.counted(chosen.policy).any(axis=2))
    names = [question.question_id for question in scores.questions]
    found = []
    for at, budget in enumerate(scores.budgets):
        there = {
            one.name: dict(zip(names, right[model, at].tolist(), strict=True))
            for model, one in enumerate(scores.entrants)
            if run[model, at]
        }
        for name, answers in there.items():
            given = {other: known for other, known in there.items() if other != name}
            seen = looks(chosen, [answers[item.question_id] for item in chosen.items], given, level)
            found.append(
                Replay(
                    model=name,
                    budget=budget,
                    items=len(chosen.items),
                    place=_first(look for look in seen if look.has_place) if given else None,
                    nearly=_first(look for look in seen if len(look.undecided) <= 0.2 * len(given))
                    if given
                    else None,
                    accuracy=_first(look for look in seen if look.is_within(within)),
                )
            )
    return tuple(found)


def _first(decided: Iterable[Look]) -> int:
    """After the last item everything is decided."""
    return next(iter(decided)).asked
