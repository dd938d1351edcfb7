"""What a history lacks of its budget or its schedule, and why: nothing is left out in silence."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

from voxmem.config import Budget
from voxmem.history.allocate import Allocation
from voxmem.records import History, Length, Placement, Record

SHORTEST = 0.95
"""The part of its nominal budget that a history fills at least, unless it says why not."""


class FitNote(Record):
    """One thing of which a history has less than its budget asks for."""

    item_id: str
    kind: Literal["tokens", "samekey_haystack", "topical_haystack"]
    wanted: int
    found: int
    reason: str


def shortest(budget: Budget) -> int:
    """The fewest tokens of a history that fills its budget."""
    return math.ceil(budget.tokens * SHORTEST)


def notes(
    allocation: Allocation,
    histories: Sequence[History],
    budgets: Sequence[Budget],
    length_of: Callable[[Placement], Length],
    dropped: Collection[str] = (),
) -> list[FitNote]:
    """The notes of one question's histories, which are one a budget, shortest first."""
    return [
        note
        for history, budget in zip(histories, budgets, strict=True)
        for note in (
            *_too_few(allocation, history, budget, dropped),
            *_too_short(allocation, history, budget, length_of, dropped),
        )
    ]


def _too_few(
    allocation: Allocation, history: History, budget: Budget, dropped: Collection[str]
) -> Iterator[FitNote]:
    for kind, wanted, places in (
        ("samekey_haystack", budget.samekey, allocation.samekey),
        ("topical_haystack", budget.reused_for(len(allocation.required)), allocation.topical),
    ):
        # A variant's second candidate stands where a distractor was.
        found = sum(1 for place in places if place in set(history.placements))
        if found < wanted:
            there = sum(place.session_id not in dropped for place in places)
            reason = f"there are {there} eligible sessions" if there < wanted else "no room is left"
            yield FitNote(
                item_id=history.item_id, kind=kind, wanted=wanted, found=found, reason=reason
            )


def _too_short(
    allocation: Allocation,
    history: History,
    budget: Budget,
    length_of: Callable[[Placement], Length],
    dropped: Collection[str],
) -> Iterator[FitNote]:
    tokens, wanted = history.length.tokens, shortest(budget)
    if tokens >= wanted:
        return
    taken = {place.session_id for place in history.placements}
    left = [
        length_of(place).tokens
        for place in allocation.fillers
        if place.session_id not in taken and place.session_id not in dropped
    ]
    reason = (
        f"of {len(left)} fillers left, the shortest has {min(left)} tokens"
        if left
        else "all its fillers are taken"
    )
    yield FitNote(
        item_id=history.item_id, kind="tokens", wanted=wanted, found=tokens, reason=reason
    )
