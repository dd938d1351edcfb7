"""Forms over what was said: the transcript-sufficient baseline (VoxMem, Tables 6 and 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe
from voxmem.plan.forms import form
from voxmem.query import (
    About,
    CountDistinct,
    Declared,
    Latest,
    Named,
    Nth,
    Open,
    Query,
    ReadFact,
    Reading,
    Same,
    Sequence,
    States,
    Sum,
)
from voxmem.records import AnswerSpace, Plan, Value
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _stated(
    draft: Draft,
    entities: list[str],
    attribute: str,
    values: list[Value],
    *,
    in_order: bool,
    shared: bool = True,
) -> None:
    """One evidence session per value, then same-key and topical haystack with other entities.

    Args:
        shared: Whether a distractor may state a value of the evidence, which must not be where
            one of them is the answer.
    """
    turns = draft.turns(len(values))
    for entity, value, when in zip(
        entities, values, draft.days(len(values), sorted_=in_order), strict=True
    ):
        draft.session("evidence", entity, when, attribute=attribute, value=value, turns=next(turns))
    for when in draft.days(draft.config.budgets[-1].samekey):
        (value,) = draft.values(attribute, 1, without=() if shared else values)
        draft.session(
            "samekey_haystack",
            draft.entity(),
            when,
            attribute=attribute,
            value=value,
            turns=next(turns),
        )
    draft.topical([], [])


def _named(entities: list[str], attribute: str) -> Reading:
    return Reading(
        select=Named(anchors=tuple((About(entity=entity),) for entity in entities)),
        read=ReadFact(attribute=attribute),
    )


def _told(attribute: str, entity: str) -> str:
    return describe(attribute).told.format(entity=entity)


def _updates(entity: str, attribute: str, count: int) -> Reading:
    where = (About(entity=entity), States(attribute=attribute, entity=entity))
    return Reading(
        select=Declared(where=where, count=count), read=ReadFact(attribute=attribute, entity=entity)
    )


@form(_SEMANTICS, Subtype.COUNTING)
def distinct_values(draft: Draft) -> Plan:
    """How many different values three things were given."""
    attribute = draft.attribute()
    entities = [draft.entity() for _ in range(3)]
    one, two, three = draft.values(attribute, 3)
    values = [one, two, three] if draft.index % 2 else [one, two, one]
    draft.rng.shuffle(values)
    _stated(draft, entities, attribute, values, in_order=False)
    return draft.close(
        CountDistinct(of=_named(entities, attribute)),
        f"How many different {describe(attribute).plural} did I give for {_listed(entities)}?",
        AnswerType.NUMBER,
        AnswerSpace(low=1, high=3),
    )


@form(_SEMANTICS, Subtype.AGGREGATION)
def total(draft: Draft) -> Plan:
    """The sum of three numbers given in different sessions."""
    attribute = draft.attribute(numeric=True)
    entities = [draft.entity() for _ in range(3)]
    values = draft.values(attribute, 3)
    _stated(draft, entities, attribute, values, in_order=False)
    domain = [int(value) for value in describe(attribute).domain]
    return draft.close(
        Sum(of=_named(entities, attribute)),
        f"Taken together, what is the total {describe(attribute).noun} that I gave for "
        f"{_listed(entities)}?",
        AnswerType.NUMBER,
        AnswerSpace(low=3 * min(domain), high=3 * max(domain)),
    )


@form(_SEMANTICS, Subtype.MATCHING)
def same_value(draft: Draft) -> Plan:
    """Whether two things were given the same value."""
    attribute = draft.attribute()
    entities = [draft.entity(), draft.entity()]
    one, two = draft.values(attribute, 2)
    _stated(draft, entities, attribute, [one, one if draft.index % 2 else two], in_order=False)
    return draft.close(
        Same(of=_named(entities, attribute)),
        f"Did I give the same {describe(attribute).noun} for {entities[0]} and for {entities[1]}?",
        AnswerType.YES_NO,
        AnswerSpace(options=("yes", "no"), closed=True),
    )


def _history_of_one(draft: Draft, count: int) -> tuple[str, str, list[Value]]:
    attribute, entity = draft.attribute(), draft.entity()
    values = draft.values(attribute, count)
    _stated(draft, [entity] * count, attribute, values, in_order=True, shared=False)
    return entity, attribute, values


def _one_value(draft: Draft, query: Query, text: str, attribute: str) -> Plan:
    options = tuple(str(value) for value in describe(attribute).domain)
    return draft.close(query, text, AnswerType.CATEGORICAL, AnswerSpace(options=options))


@form(_SEMANTICS, Subtype.LATEST_STATE)
def latest_value(draft: Draft) -> Plan:
    """The value in force after several updates."""
    entity, attribute, _ = _history_of_one(draft, 3)
    where = (About(entity=entity), States(attribute=attribute, entity=entity))
    reading = Reading(select=Open(where=where), read=ReadFact(attribute=attribute, entity=entity))
    return _one_value(
        draft,
        Latest(of=reading),
        f"Going by my latest update, please tell me {_told(attribute, entity)}.",
        attribute,
    )


@form(_SEMANTICS, Subtype.HISTORICAL_STATE)
def nth_value(draft: Draft) -> Plan:
    """The value at the second of three updates."""
    entity, attribute, _ = _history_of_one(draft, 3)
    return _one_value(
        draft,
        Nth(of=_updates(entity, attribute, 3), n=2),
        f"I told you three times {_told(attribute, entity)}. What did I say the second time?",
        attribute,
    )


@form(_SEMANTICS, Subtype.EVOLUTION)
def value_sequence(draft: Draft) -> Plan:
    """All values in the order in which they were given."""
    entity, attribute, values = _history_of_one(draft, 3)
    options = tuple(str(value) for value in describe(attribute).domain)
    return draft.close(
        Sequence(of=_updates(entity, attribute, 3)),
        f"I told you three times {_told(attribute, entity)}. What did I say, from first to last?",
        AnswerType.ORDERED_LIST,
        AnswerSpace(options=options, length=len(values)),
    )
