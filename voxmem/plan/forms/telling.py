"""What forms over words and over voices share: states told one session at a time, the selections
that find them again, the shapes that a timeline takes, and the spaces of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from functools import cache
from itertools import pairwise
from typing import TypeVar

from voxmem.plan.draft import Draft, describe, when_of
from voxmem.query import (
    About,
    Condition,
    Declared,
    Named,
    Open,
    ReadFact,
    Reading,
    ReadSpeaker,
    States,
)
from voxmem.records import AnswerSpace, PlannedSession, Value

T = TypeVar("T")

YES_NO = AnswerSpace(options=("yes", "no"), closed=True)
COUNT = AnswerSpace(low=1, high=6)
"""Of an open count. The bounds are the same for every item, so that they tell nothing."""
FEW, SEVERAL, MANY = (2, 2, 3), (2, 3, 4), (3, 3, 3, 4)
"""How many evidence sessions a form draws from: some 2.5 over all forms (VoxMem, Figure 1)."""
NUMBERS = {2: "two", 3: "three", 4: "four"}
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


# --- evidence ---------------------------------------------------------------------------------


def tell(
    draft: Draft,
    entities: Sequence[str],
    attribute: str,
    values: Sequence[Value],
    *,
    in_order: bool = False,
) -> None:
    """One evidence session a value, each spoken by the asker."""
    moments = draft.moments(len(values), in_order=in_order)
    for entity, value, when in zip(entities, values, moments, strict=True):
        draft.evidence(entity, when, attribute=attribute, value=value)


def update(draft: Draft, states: Sequence[int], *kinds: str) -> tuple[str, str, list[Value]]:
    """A thing, and an attribute of it that goes through numbered states; the value of each."""
    attribute, entity = draft.attribute(*kinds), draft.entity()
    values = draft.values(attribute, max(states) + 1)
    told = [values[state] for state in states]
    tell(draft, [entity] * len(told), attribute, told, in_order=True)
    return entity, attribute, values


def speak(
    draft: Draft,
    entities: Sequence[str],
    speakers: Sequence[str],
    *,
    in_order: bool = False,
) -> None:
    """One evidence session a speaker, each about its entity."""
    moments = draft.moments(len(speakers), in_order=in_order)
    for entity, speaker, when in zip(entities, speakers, moments, strict=True):
        draft.evidence(entity, when, speaker=speaker)


def between(draft: Draft, one: PlannedSession, two: PlannedSession) -> datetime:
    """The end of a day from the day of a session to the day before a later one."""
    first, last = when_of(one).toordinal(), when_of(two).toordinal() - 1
    return end_of(draft.rng.randint(first, last))


def end_of(ordinal: int) -> datetime:
    """The last minute of a day, given by its ordinal."""
    return datetime.combine(datetime.fromordinal(ordinal), time(23, 59))


# --- selections -------------------------------------------------------------------------------


def stated(attribute: str, entity: str, *more: Condition) -> tuple[Condition, ...]:
    """A session that states something of an entity."""
    return (About(entity=entity), States(attribute=attribute, entity=entity), *more)


def each(entities: Sequence[str]) -> Named:
    """One session about each entity."""
    return Named(anchors=tuple((About(entity=entity),) for entity in entities))


def values_of(entities: Sequence[str], attribute: str) -> Reading:
    """What was said of each entity."""
    return Reading(select=each(entities), read=ReadFact(attribute=attribute))


def all_of(attribute: str, entity: str, *more: Condition) -> Reading:
    """All values of one entity, however many."""
    return Reading(
        select=Open(where=stated(attribute, entity, *more)),
        read=ReadFact(attribute=attribute, entity=entity),
    )


def count_of(attribute: str, entity: str, count: int) -> Reading:
    """All values of one entity, as many as the question says."""
    return Reading(
        select=Declared(where=stated(attribute, entity), count=count),
        read=ReadFact(attribute=attribute, entity=entity),
    )


def visits(entity: str, count: int) -> Reading:
    """The voices of all sessions about an entity, as many as the question says."""
    return Reading(select=Declared(where=(About(entity=entity),), count=count), read=ReadSpeaker())


# --- shapes -----------------------------------------------------------------------------------


def grouped(draft: Draft, count: int, groups: int) -> list[int]:
    """``count`` members of ``groups`` groups, none of them empty, in random order."""
    members = [*range(groups), *(draft.rng.randrange(groups) for _ in range(count - groups))]
    draft.rng.shuffle(members)
    return members


def some(draft: Draft, items: Sequence[T], *, whole: bool = False) -> list[T]:
    """A part of the items, never empty, and all of them only where ``whole`` permits."""
    parts = range(1, 2 ** len(items) - (not whole))
    part = draft.rng.choice(parts)
    return [item for at, item in enumerate(items) if part >> at & 1]


@cache
def _timelines(count: int) -> tuple[tuple[int, ...], ...]:
    """All timelines of so many stages, states numbered by first occurrence, that another order of
    the same states could have turned out differently: some state comes twice, and not all are
    one."""

    def grow(begun: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(begun) == count:
            yield begun
            return
        for state in range(max(begun) + 2):
            yield from grow((*begun, state))

    return tuple(states for states in grow((0,)) if 1 < len(set(states)) < count)


def changing(draft: Draft, count: int, changes: int) -> tuple[int, ...]:
    """A timeline of so many stages with so many changes."""
    return draft.rng.choice([line for line in _timelines(count) if changes_in(line) == changes])


def returning(draft: Draft, count: int, returns: bool) -> tuple[int, ...]:
    """A timeline in which some state comes back after another, or in which none does."""
    return draft.rng.choice(
        [line for line in _timelines(count) if (changes_in(line) >= len(set(line))) == returns]
    )


def changes_in(states: Sequence[int]) -> int:
    """How often a state differs from the one before it."""
    return sum(one != two for one, two in pairwise(states))


# --- answers ----------------------------------------------------------------------------------


def domain(attribute: str, *, length: int | None = None) -> AnswerSpace:
    """Any value of an attribute, of which the question lists none. Phrases are open."""
    item = describe(attribute)
    options = () if item.kind == "open" else tuple(str(value) for value in item.domain)
    return AnswerSpace(options=options, length=length)


def choices(options: Sequence[str], *, length: int | None = None) -> AnswerSpace:
    """The options that the question lists."""
    return AnswerSpace(options=tuple(sorted(options)), length=length, closed=True)


def total_of(attribute: str, count: int) -> AnswerSpace:
    """Any sum of so many values."""
    numbers = [int(value) for value in describe(attribute).domain]
    return AnswerSpace(low=count * min(numbers), high=count * max(numbers))


def gap_of(attribute: str) -> AnswerSpace:
    """Any difference of two values."""
    numbers = [int(value) for value in describe(attribute).domain]
    return AnswerSpace(low=1, high=max(numbers) - min(numbers))
