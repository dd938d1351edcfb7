"""Forms over what was said: the transcript-sufficient baseline (VoxMem, Tables 6 and 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe, told
from voxmem.plan.forms import form
from voxmem.query import About, Latest, Named, Open, ReadFact, Reading, Same, States
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS
YES_NO = AnswerSpace(options=("yes", "no"), closed=True)


@form(
    _SEMANTICS,
    Subtype.MATCHING,
    AnswerType.YES_NO,
    "Did I give the same {noun} for {one} and for {two}?",
    "Is the {noun} that I told you the same for {one} and {two}?",
    "Do {one} and {two} have the same {noun}, going by what I said?",
    bare=True,
)
def same_value(draft: Draft) -> Plan:
    """Whether two things were given the same value."""
    attribute = draft.attribute()
    entities = draft.entities(2)
    one, two = draft.values(attribute, 2)
    values = [one, one if draft.coin() else two]
    for entity, value, when in zip(entities, values, draft.moments(2), strict=True):
        draft.evidence(entity, when, attribute=attribute, value=value)
    reading = Reading(
        select=Named(anchors=tuple((About(entity=entity),) for entity in entities)),
        read=ReadFact(attribute=attribute),
    )
    noun = describe(attribute).noun
    return draft.close(Same(of=reading), YES_NO, noun=noun, one=entities[0], two=entities[1])


@form(
    _SEMANTICS,
    Subtype.LATEST_STATE,
    AnswerType.CATEGORICAL,
    "Going by my latest update, please tell me {told}.",
    "After everything I have said, {told} now?",
    bare=True,
)
def latest_value(draft: Draft) -> Plan:
    """The value in force after several updates."""
    attribute, entity = draft.attribute(), draft.entity()
    values = draft.values(attribute, draft.rng.choice((2, 3)))
    for value, when in zip(values, draft.moments(len(values), in_order=True), strict=True):
        draft.evidence(entity, when, attribute=attribute, value=value)
    where = (About(entity=entity), States(attribute=attribute, entity=entity))
    reading = Reading(select=Open(where=where), read=ReadFact(attribute=attribute, entity=entity))
    space = AnswerSpace(options=tuple(str(value) for value in describe(attribute).domain))
    return draft.close(Latest(of=reading), space, told=told(attribute, entity))
