"""Forms that match what was said of different things (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe, listed
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import (
    YES_NO,
    choices,
    some,
    tell,
    values_of,
)
from voxmem.query import (
    About,
    Alike,
    OddOneOut,
    Same,
)
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS
_RECORDS = {"folder": "file", "symbol": "project", "container": "bundle"}
"""Attributes by which a user tells records apart, and what such a record is called."""


@form(
    _SEMANTICS,
    Subtype.MATCHING,
    AnswerType.YES_NO,
    "Did I give the same {noun} for {one} and for {two}?",
    "Is the {noun} that I told you one and the same for {one} and for {two}?",
    "Do {one} and {two} share the same {noun}, going by what I said?",
    "Comparing {one} with {two}, did I name the same {noun} both times?",
    bare=True,
)
def same_value(draft: Draft) -> Plan:
    """Whether two things were given the same value."""
    attribute, entities = draft.attribute(), draft.entities(2)
    one, two = draft.values(attribute, 2)
    tell(draft, entities, attribute, [one, one if draft.coin() else two])
    noun = describe(attribute).noun
    query = Same(of=values_of(entities, attribute))
    return draft.close(query, YES_NO, noun=noun, one=entities[0], two=entities[1])


@form(
    _SEMANTICS,
    Subtype.MATCHING,
    AnswerType.YES_NO,
    "Every {record} of mine has its own {noun}. Do {one} and {two} belong to the same {record}?",
    "I know each {record} by its {noun}. Are {one} and {two} really one and the same {record}?",
    "If one {noun} stands for one {record}, are {one} and {two} parts of the same {record}?",
    "I use another {noun} for each {record}. When I spoke of {one} and of {two}, was that a single "
    "{record}?",
    bare=True,
)
def same_record(draft: Draft) -> Plan:
    """Whether two differently worded references belong to one record, which a mark tells apart."""
    attribute = draft.rng.choice(sorted(_RECORDS))
    entities = draft.entities(2)
    one, two = draft.values(attribute, 2)
    tell(draft, entities, attribute, [one, one if draft.coin() else two])
    return draft.close(
        Same(of=values_of(entities, attribute)),
        YES_NO,
        record=_RECORDS[attribute],
        noun=describe(attribute).noun,
        one=entities[0],
        two=entities[1],
    )


@form(
    _SEMANTICS,
    Subtype.MATCHING,
    AnswerType.UNORDERED_SET,
    "Which of these have the same {noun} as {model}: {options}? It may be one or more.",
    "Think of {names}. Which of them, one or more, share their {noun} with {model}?",
    "For one or more of {names}, I gave the same {noun} as for {model}. Which ones?",
    "Going by what I said, what matches {model} in its {noun}? Pick one or more of {names}.",
    bare=True,
)
def alike_in_value(draft: Draft) -> Plan:
    """Which of several things were given the value of another."""
    attribute = draft.attribute()
    model, *entities = draft.entities(3)
    one, *rest = draft.values(attribute, len(entities) + 1)
    alike = some(draft, entities, whole=True)
    values = [one if name in alike else rest[at] for at, name in enumerate(entities)]
    tell(draft, [model, *entities], attribute, [one, *values])
    query = Alike(
        labels=tuple(entities),
        of=values_of(entities, attribute),
        reference=(About(entity=model),),
    )
    return draft.close(
        query,
        choices(entities),
        noun=describe(attribute).noun,
        names=listed(entities),
        options=listed(entities, "or"),
        model=model,
    )


@form(
    _SEMANTICS,
    Subtype.MATCHING,
    AnswerType.CATEGORICAL,
    "Of {names}, all but one have the same {noun}. Which is the one that differs?",
    "For two of these I gave the same {noun}: {names}. Which of the three is left over?",
    "Which does not go with the others in its {noun}: {options}?",
    "Two of these share their {noun}, one does not: {names}. Which one stands alone?",
    bare=True,
)
def odd_value_out(draft: Draft) -> Plan:
    """Which of three things was given a value of its own."""
    attribute, entities = draft.attribute(), draft.entities(3)
    one, two = draft.values(attribute, 2)
    odd = draft.rng.choice(entities)
    tell(draft, entities, attribute, [two if name == odd else one for name in entities])
    return draft.close(
        OddOneOut(labels=tuple(entities), of=values_of(entities, attribute)),
        choices(entities),
        noun=describe(attribute).noun,
        names=listed(entities),
        options=listed(entities, "or"),
    )
