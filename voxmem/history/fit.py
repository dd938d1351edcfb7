"""Measured lengths become nested histories: whole sessions, never above the budget.

Each budget keeps what the shorter one holds and takes more: same-key distractors up to its
schedule, topical haystack up to its own, then fillers in their order of taking, skipping those
that no longer fit (VoxMem, Appendix B.6).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from voxmem.config import Budget
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation
from voxmem.length import total
from voxmem.records import History, Length, Placement

TOLERANCE = 1.03
"""Where the evidence fills the shortest budget, no room can be left for a refusal variant whose
changed session is a little longer: its histories may pass the nominal budget by this factor."""


@dataclass
class _Taken:
    """The sessions taken so far, and their length together with the query."""

    length: Length
    places: list[Placement] = field(default_factory=list)

    def add(self, place: Placement, length: Length) -> None:
        self.places.append(place)
        self.length = total((self.length, length))

    def has(self, place: Placement) -> bool:
        return place in self.places


def fit(
    allocation: Allocation,
    budgets: Sequence[Budget],
    query: Length,
    length_of: Callable[[Placement], Length],
    dropped: Collection[str] = (),
    variants: Sequence[Allocation] = (),
) -> tuple[History, ...]:
    """The histories of a question, one a budget, shortest first.

    Args:
        query: The length of the question with its timestamp.
        length_of: The measured length of a placed session.
        dropped: Sessions that failed their gate. A dropped filler or haystack session is replaced
            by the next in order.
        variants: Of the refusal variants. They take over all sessions but one, so that room is
            left for the longest of those they change.

    Raises:
        ConstructionError: An evidence session was dropped, or the evidence and its distractors
            do not fit the budget.
    """
    gone = [place.session_id for place in allocation.required if place.session_id in dropped]
    if gone:
        raise ConstructionError(
            f"its session {gone[0]} failed the session gate",
            item=allocation.question_id,
            stage="fit",
        )
    taken = _Taken(query)
    for place in allocation.required:
        taken.add(place, length_of(place))
    usable = {
        name: [place for place in getattr(allocation, name) if place.session_id not in dropped]
        for name in ("samekey", "topical", "fillers")
    }
    reserve = max((_growth(allocation, variant, length_of) for variant in variants), default=0)
    histories = []
    for budget in budgets:
        _extend(taken, budget, budget.tokens - max(reserve, 0), usable, length_of)
        if taken.length.tokens > budget.tokens:
            raise ConstructionError(
                f"needs {taken.length.tokens} tokens, {budget.name} holds {budget.tokens}",
                item=allocation.question_id,
                stage="fit",
                remedy="use shorter sessions or a larger first budget",
            )
        histories.append(_history(allocation.question_id, budget.name, taken))
    return tuple(histories)


def _extend(
    taken: _Taken,
    budget: Budget,
    most: int,
    usable: dict[str, list[Placement]],
    length_of: Callable[[Placement], Length],
) -> None:
    for place in usable["samekey"][: budget.samekey]:
        if not taken.has(place):
            taken.add(place, length_of(place))
    for place in [*usable["topical"][: budget.topical], *usable["fillers"]]:
        if taken.has(place):
            continue
        length = length_of(place)
        if taken.length.tokens + length.tokens <= most:
            taken.add(place, length)


def _growth(before: Allocation, after: Allocation, length_of: Callable[[Placement], Length]) -> int:
    """Tokens that a variant's changed session takes more than the one in whose place it is."""
    return sum(
        length_of(new).tokens - length_of(old).tokens
        for old, new in _exchanged(before, after).items()
        if old != new
    )


def _exchanged(before: Allocation, after: Allocation) -> dict[Placement, Placement]:
    """A source's places, and what is in each of them in its variant."""
    return dict(
        zip(
            (*before.required, *before.samekey, *before.topical),
            (*after.required, *after.samekey, *after.topical),
            strict=True,
        )
    )


def _history(question_id: str, budget: str, taken: _Taken) -> History:
    return History(
        item_id=f"{question_id}_{budget.lower()}",
        question_id=question_id,
        budget=budget,
        placements=tuple(sorted(taken.places, key=lambda place: place.timestamp)),
        length=taken.length,
    )


def follow(
    source: Sequence[History],
    before: Allocation,
    after: Allocation,
    budgets: Sequence[Budget],
    query: Length,
    length_of: Callable[[Placement], Length],
) -> tuple[History, ...]:
    """The histories of a refusal variant: its source's, with the changed session in place.

    Raises:
        ConstructionError: The changed session makes a history too long.
    """
    swap = _exchanged(before, after)
    histories = []
    for history, budget in zip(source, budgets, strict=True):
        places = tuple(swap.get(place, place) for place in history.placements)
        length = total((query, *map(length_of, places)))
        if length.tokens > budget.tokens * TOLERANCE:
            raise ConstructionError(
                f"its changed session takes {budget.name} to {length.tokens} tokens",
                item=after.question_id,
                stage="fit",
            )
        histories.append(
            History(
                item_id=f"{after.question_id}_{budget.name.lower()}",
                question_id=after.question_id,
                budget=budget.name,
                placements=places,
                length=length,
            )
        )
    return tuple(histories)
