"""How many items of a screening set a model needs until everything is decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from voxmem.analyze.scores import Bools, Mark, Scores
from voxmem.analyze.screening.stopping import LEVEL, Look, looks
from voxmem.evaluate.subset import ScreeningSet
from voxmem.records import Record


class Replay(Record):
    """One model at one budget, held against the others of the set as if it was new."""

    model: str
    budget: str
    items: int
    """Of the set."""
    asked: int
    """In the set's order, without a gap."""
    low: float | None
    """The accuracy on the set is not below; ``None``: nothing was asked."""
    high: float | None
    place: int | None
    """Items until its place among the others was decided; ``None``: it is not, or there is no
    other."""
    nearly: int | None
    """Items until it was decided against four in five of them."""
    accuracy: int | None
    """Items until its accuracy was known closely enough; ``None``: it is not."""
    undecided: tuple[str, ...]
    """Those against whom it is still open."""


def replay(
    scores: Scores,
    chosen: ScreeningSet,
    *,
    models: Sequence[str] | None = None,
    within: float = 0.05,
    level: float = LEVEL,
) -> tuple[Replay, ...]:
    """Models at every budget that they were run at.

    Args:
        scores: Of these and of the models of the set.
        models: Those of the set if ``None``; a further one may have answered a part.
        within: How closely the accuracy is to be known, on both sides (a fraction).
    """
    names = {one.name: at for at, one in enumerate(scores.entrants)}
    places = {question.question_id: at for at, question in enumerate(scores.questions)}
    order = [places[item.question_id] for item in chosen.items]
    right = (scores.right & scores.counted(chosen.policy))[:, :, order]
    marks = scores.marks[:, :, order]
    asked: Bools = np.asarray((marks != Mark.NOT_ASKED) & (marks != Mark.ABSENT))
    found = []
    for at, budget in enumerate(scores.budgets):
        known = {
            name: _answers(chosen, right[names[name], at])
            for name in chosen.models
            if name in names and asked[names[name], at].all()
        }
        for name in chosen.models if models is None else models:
            there = asked[names[name], at]
            if there.any():
                # What was asked out of order says nothing of those that are left.
                number = len(there) if there.all() else int(np.argmin(there))
                given = {other: answers for other, answers in known.items() if other != name}
                seen = looks(chosen, right[names[name], at, :number].tolist(), given, level)
                found.append(_replay(name, budget, chosen, seen, len(given), within))
    return tuple(found)


def _replay(
    name: str, budget: str, chosen: ScreeningSet, seen: Sequence[Look], others: int, within: float
) -> Replay:
    last = seen[-1] if seen else None
    few = 0.2 * others
    return Replay(
        model=name,
        budget=budget,
        items=len(chosen.items),
        asked=len(seen),
        low=last.low if last else None,
        high=last.high if last else None,
        place=_first(look for look in seen if others and look.has_place),
        nearly=_first(look for look in seen if others and len(look.undecided) <= few),
        accuracy=_first(look for look in seen if look.is_within(within)),
        undecided=last.undecided if last else (),
    )


def _answers(chosen: ScreeningSet, right: Bools) -> dict[str, bool]:
    return {
        item.question_id: is_right
        for item, is_right in zip(chosen.items, right.tolist(), strict=True)
    }


def _first(looked: Iterable[Look]) -> int | None:
    found = next(iter(looked), None)
    return found.asked if found else None
