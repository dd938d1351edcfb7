"""Lengths become nested histories: whole sessions, never above the budget.

Each budget keeps what the shorter one holds and takes more: same-key distractors and borrowed
haystack up to its own schedule, then fillers in their order, the last ones so chosen that the
budget is filled (VoxMem, Appendix B.6).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from voxmem.config import Budget, BuildConfig
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation
from voxmem.history.fill import fill
from voxmem.history.lengths import Lengths
from voxmem.history.notes import FitNote, notes, shortest
from voxmem.length import total
from voxmem.records import History, Length, Placement, Plan

TOLERANCE = 1.03
"""Where the evidence fills the shortest budget, no room can be left for a refusal variant whose
changed session is a little longer: its histories may pass the nominal budget by this factor."""

AIM = 0.98
"""The part of the room that is filled if there are sessions that do so."""

LengthOf = Callable[[Placement], Length]


@dataclass(frozen=True)
class Fitted:
    """All histories, and what became of the rest."""

    histories: tuple[History, ...]
    dropped: Mapping[str, str]
    """Question → why it has no histories."""
    notes: tuple[FitNote, ...]


def fit_all(
    config: BuildConfig,
    plans: Sequence[Plan],
    allocations: Mapping[str, Allocation],
    lengths: Lengths,
    dropped: Collection[str] = (),
) -> Fitted:
    """The histories of every plan at every budget. Sources come before their variants.

    Args:
        allocations: By question.
        dropped: Sessions and questions that failed their gate.

    Raises:
        ConstructionError: No question can be fitted at all.
    """
    fitted: dict[str, tuple[History, ...]] = {}
    lost: dict[str, ConstructionError] = {}
    variants = _variants(plans, allocations)
    for plan in plans:
        question = plan.question
        name, source = question.question_id, question.source_question_id
        mine = allocations[name]
        try:
            _check_spoken(name, dropped)
            query = lengths.question(question)
            if source is None:
                others = variants.get(name, ())
                fitted[name] = fit(mine, config.budgets, query, lengths.of, dropped, others)
            else:
                _check_variant(mine, source, fitted, dropped)
                before, histories = allocations[source], fitted[source]
                fitted[name] = follow(histories, before, mine, config.budgets, query, lengths.of)
        except ConstructionError as error:
            lost[name] = error
    if not fitted:
        _give_up(lost)
    found = [
        note
        for name, histories in fitted.items()
        for note in notes(allocations[name], histories, config.budgets, lengths.of, dropped)
    ]
    reasons = {name: error.message for name, error in lost.items()}
    return Fitted(tuple(item for rows in fitted.values() for item in rows), reasons, tuple(found))


def _variants(
    plans: Sequence[Plan], allocations: Mapping[str, Allocation]
) -> dict[str, list[Allocation]]:
    """Source → the allocations of its refusal variants."""
    found: dict[str, list[Allocation]] = {}
    for plan in plans:
        if source := plan.question.source_question_id:
            found.setdefault(source, []).append(allocations[plan.question.question_id])
    return found


def _give_up(lost: Mapping[str, ConstructionError]) -> None:
    for name, first in lost.items():
        raise ConstructionError(
            f"no question has a history; this one {first.message}",
            item=name,
            stage="fit",
            remedy=first.remedy or "see the checks of the session gate",
        )


def _check_spoken(name: str, dropped: Collection[str]) -> None:
    if name in dropped:
        raise ConstructionError(
            "its spoken question failed the session gate", item=name, stage="fit"
        )


def _check_variant(
    mine: Allocation, source: str, fitted: Mapping[str, object], dropped: Collection[str]
) -> None:
    if source not in fitted:
        raise ConstructionError("its source was dropped", item=mine.question_id, stage="fit")
    _check_evidence((*mine.required, *mine.samekey), mine.question_id, dropped)


def _check_evidence(places: Sequence[Placement], item: str, dropped: Collection[str]) -> None:
    gone = [place.session_id for place in places if place.session_id in dropped]
    if gone:
        raise ConstructionError(
            f"its session {gone[0]} failed the session gate", item=item, stage="fit"
        )


def fit(
    allocation: Allocation,
    budgets: Sequence[Budget],
    query: Length,
    length_of: LengthOf,
    dropped: Collection[str] = (),
    variants: Sequence[Allocation] = (),
) -> tuple[History, ...]:
    """The histories of an answerable question, one a budget, shortest first.

    Args:
        query: The length of the question with its timestamp.
        length_of: The length of a placed session.
        dropped: Sessions that failed their gate. A dropped filler or haystack session is replaced
            by the next in order.
        variants: Of the refusal variants. They take over all sessions but one, so that room is
            left for the longest of those they change.

    Raises:
        ConstructionError: An evidence session was dropped, or the evidence and its distractors
            do not fit the budget.
    """
    _check_evidence(allocation.required, allocation.question_id, dropped)
    growth = [_growth(allocation, variant, length_of) for variant in variants]
    fitting = _Fitting(allocation, query, length_of, dropped)
    return tuple(fitting.extend(budget, *_bounds(budget, growth)) for budget in budgets)


def _bounds(budget: Budget, growth: Sequence[int]) -> tuple[int, int]:
    """How long a history may be so that it and its variants, which differ by ``growth`` tokens, are
    within the budget. Where that cannot be, variants may pass it within the tolerance."""
    least = shortest(budget) - min((0, *growth))
    most = budget.tokens - max((0, *growth))
    if most < least:
        most = min(budget.tokens, most + int(budget.tokens * (TOLERANCE - 1)))
    return min(max(least, int(most * AIM)), most), most


class _Fitting:
    """One question's history as it grows from budget to budget."""

    def __init__(
        self,
        allocation: Allocation,
        query: Length,
        length_of: LengthOf,
        dropped: Collection[str],
    ) -> None:
        self._allocation = allocation
        groups = (allocation.samekey, allocation.topical, allocation.fillers)
        self._samekey, self._topical, self._fillers = (
            [place for place in group if place.session_id not in dropped] for group in groups
        )
        self._lengths = {
            place.session_id: length_of(place)
            for group in (allocation.required, self._samekey, self._topical, self._fillers)
            for place in group
        }
        self._taken: dict[str, Placement] = {}
        self._parts = [query]
        self._tokens = query.tokens
        self._take(allocation.required)

    def extend(self, budget: Budget, least: int, most: int) -> History:
        """The history of the next budget."""
        self._take(self._samekey[: budget.samekey])
        reused = budget.reused_for(len(self._allocation.required))
        for place in self._topical[:reused]:
            if self._tokens + self._lengths[place.session_id].tokens <= most:
                self._take([place])
        left = [place for place in self._fillers if place.session_id not in self._taken]
        tokens = [self._lengths[place.session_id].tokens for place in left]
        self._take([left[at] for at in fill(tokens, least - self._tokens, most - self._tokens)])
        if self._tokens > budget.tokens:
            raise ConstructionError(
                f"needs {self._tokens} tokens, {budget.name} holds {budget.tokens}",
                item=self._allocation.question_id,
                stage="fit",
                remedy="use shorter sessions or a larger first budget",
            )
        places = sorted(self._taken.values(), key=lambda place: place.timestamp)
        return _history(self._allocation.question_id, budget, places, total(self._parts))

    def _take(self, places: Sequence[Placement]) -> None:
        for place in places:
            if place.session_id not in self._taken:
                self._taken[place.session_id] = place
                self._parts.append(self._lengths[place.session_id])
                self._tokens += self._parts[-1].tokens


def _growth(before: Allocation, after: Allocation, length_of: LengthOf) -> int:
    """Tokens that a variant's changed session takes more than the one in whose place it is."""
    return sum(
        length_of(new).tokens - length_of(old).tokens
        for old, new in exchanged(before, after).items()
    )


def exchanged(before: Allocation, after: Allocation) -> dict[Placement, Placement]:
    """The places of a source that are another session's in its variant, and what is there."""
    pairs = zip((*before.required, *before.samekey), (*after.required, *after.samekey), strict=True)
    return {old: new for old, new in pairs if old != new}


def _history(
    question_id: str, budget: Budget, places: Sequence[Placement], length: Length
) -> History:
    return History(
        item_id=f"{question_id}_{budget.name.lower()}",
        question_id=question_id,
        budget=budget.name,
        placements=tuple(places),
        length=length,
    )


def follow(
    source: Sequence[History],
    before: Allocation,
    after: Allocation,
    budgets: Sequence[Budget],
    query: Length,
    length_of: LengthOf,
) -> tuple[History, ...]:
    """The histories of a refusal variant: its source's, with the changed session in place.

    Raises:
        ConstructionError: The changed session makes a history too long.
    """
    swap = exchanged(before, after)
    histories = []
    for history, budget in zip(source, budgets, strict=True):
        places = [swap.get(place, place) for place in history.placements]
        length = total((query, *map(length_of, places)))
        if length.tokens > budget.tokens * TOLERANCE:
            raise ConstructionError(
                f"its changed session takes {budget.name} to {length.tokens} tokens",
                item=after.question_id,
                stage="fit",
            )
        histories.append(_history(after.question_id, budget, places, length))
    return tuple(histories)
