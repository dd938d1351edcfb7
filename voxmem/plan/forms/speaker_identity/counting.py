"""Forms that count sessions or people by voice, in any order (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import COUNT, NUMBERS, SEVERAL, grouped, speak, visits
from voxmem.query import (
    About,
    Count,
    CountDistinct,
    Declared,
    Open,
    Reading,
    ReadSpeaker,
    SpokenBy,
    States,
    Topic,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


@form(
    _SPEAKER,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "In how many of your earlier conversations was I the one talking about {entity}?",
    "How many times did I talk to you about {entity} myself? Leave out everybody else.",
    "Counting only the conversations with me, how many were about {entity}?",
    "Others may have told you about {entity} too. How many conversations about it were mine?",
    source=False,
)
def my_sessions(draft: Draft) -> Plan:
    """How many of the sessions about an entity were the asker's."""
    entity, count = draft.entity(), draft.rng.choice(SEVERAL)
    speak(draft, [entity] * count, [draft.asker] * count)
    query = Count(of=Open(where=(About(entity=entity), SpokenBy())))
    return draft.close(query, COUNT, entity=entity)


@form(
    _SPEAKER,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "There were {times} conversations about {entity}. How many different people had them?",
    "You had {times} conversations about {entity}. How many different voices did you hear?",
    "Of the {times} conversations about {entity}, how many different people were speaking?",
    "How many people does it take to account for the {times} conversations about {entity}?",
)
def distinct_speakers(draft: Draft) -> Plan:
    """How many people spoke about an entity."""
    entity, count = draft.entity(), draft.rng.choice((2, 2, 3, 4))
    speakers = _people(draft, count)
    speak(draft, [entity] * count, speakers)
    query, space = CountDistinct(of=visits(entity, count)), AnswerSpace(low=1, high=count)
    return draft.close(query, space, times=NUMBERS[count], entity=entity)


@form(
    _SPEAKER,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "In {times} conversations about {topic}, the {noun} was {value}. How many different people "
    "said so?",
    "You heard {value} as the {noun} in {times} conversations about {topic}. From how many "
    "different people?",
    "When it was about {topic}, {value} came up {times} times as the {noun}. How many people chose "
    "it?",
    "The {noun} {value} was given {times} times on the subject of {topic}. By how many different "
    "people?",
)
def how_many_chose(draft: Draft) -> Plan:
    """How many people gave one value on a topic."""
    attribute, count = draft.attribute(), draft.rng.choice((2, 2, 3, 4))
    (value,) = draft.values(attribute, 1)
    speakers, moments = _people(draft, count), draft.moments(count)
    for speaker, when in zip(speakers, moments, strict=True):
        draft.evidence(draft.entity(), when, attribute=attribute, value=value, speaker=speaker)
    where = (Topic(topic=draft.topic), States(attribute=attribute, value=value, compare="eq"))
    select = Declared(where=where, count=count)
    return draft.close(
        CountDistinct(of=Reading(select=select, read=ReadSpeaker())),
        AnswerSpace(low=1, high=count),
        times=NUMBERS[count],
        topic=draft.topic,
        noun=describe(attribute).noun,
        value=str(value),
    )


def _people(draft: Draft, count: int) -> list[str]:
    """``count`` speakers, of whom any number of different people is as likely."""
    different = draft.rng.randint(1, count)
    people = draft.rng.sample(draft.cast, different)
    return [people[at] for at in grouped(draft, count, different)]
