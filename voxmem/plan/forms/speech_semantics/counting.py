"""Forms that count over what was said, in any order (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe, listed
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import (
    COUNT,
    SEVERAL,
    grouped,
    tell,
    values_of,
)
from voxmem.query import (
    About,
    Count,
    CountDistinct,
    Open,
    States,
    Topic,
)
from voxmem.records import AnswerSpace, Plan, Value
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS


@form(
    _SEMANTICS,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "How many different {plural} did I give for {names}, all told?",
    "Counting each one only once, how many {plural} have I mentioned for {names}?",
    "Taking {names} together, how many different {plural} were there in what I told you?",
    "I told you the {noun} for {names}. How many different ones did I name?",
    bare=True,
)
def distinct_values(draft: Draft) -> Plan:
    """How many different values several things were given."""
    attribute, count = draft.attribute(), draft.rng.choice((2, 2, 3, 4))
    entities = draft.entities(count)
    groups = draft.rng.randint(1, count)
    values = draft.values(attribute, groups)
    tell(draft, entities, attribute, [values[at] for at in grouped(draft, count, groups)])
    names, item = listed(entities), describe(attribute)
    return draft.close(
        CountDistinct(of=values_of(entities, attribute)),
        AnswerSpace(low=1, high=count),
        names=names,
        noun=item.noun,
        plural=item.plural,
    )


@form(
    _SEMANTICS,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "Of everything that I told you about {topic}, for how many things is the {noun} {value}?",
    "On the subject of {topic}, how many things did I mention with {value} as their {noun}?",
    "Across all our conversations about {topic}, how many things have {value} as their {noun}?",
    "Going through what I said about {topic}, how many things come with {value} as the {noun}?",
    bare=True,
    source=False,
)
def how_many_have(draft: Draft) -> Plan:
    """How many things of a topic were given one value."""
    attribute = draft.attribute()
    (value,) = draft.values(attribute, 1)
    count = draft.rng.choice(SEVERAL)
    tell(draft, draft.entities(count), attribute, [value] * count)
    where = (Topic(topic=draft.topic), States(attribute=attribute, value=value, compare="eq"))
    return draft.close(
        Count(of=Open(where=where)),
        COUNT,
        topic=draft.topic,
        noun=describe(attribute).noun,
        value=str(value),
    )


@form(
    _SEMANTICS,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "Of everything that I told you about {topic}, for how many things is the {noun} {bound}?",
    "On the subject of {topic}, how many things did I mention whose {noun} is {bound}?",
    "Across all our conversations about {topic}, for how many things is the {noun} {bound}?",
    "Going through what I said about {topic}, how many things have {bound} as their {noun}?",
    bare=True,
    source=False,
)
def how_many_within(draft: Draft) -> Plan:
    """How many things of a topic were given at least, or at most, a number."""
    attribute, count = draft.attribute("number"), draft.rng.choice(SEVERAL)
    numbers = sorted(int(value) for value in describe(attribute).domain)
    least = draft.coin()
    third = len(numbers) // 3
    bound = draft.rng.choice(numbers[third:-third])
    within = [number for number in numbers if (number >= bound if least else number <= bound)]
    values: list[Value] = list(draft.rng.sample(within, count))
    tell(draft, draft.entities(count), attribute, values)
    meets = States(attribute=attribute, value=bound, compare="ge" if least else "le")
    return draft.close(
        Count(of=Open(where=(Topic(topic=draft.topic), meets))),
        COUNT,
        topic=draft.topic,
        noun=describe(attribute).noun,
        bound=f"at {'least' if least else 'most'} {bound}",
    )


@form(
    _SEMANTICS,
    Subtype.COUNTING,
    AnswerType.NUMBER,
    "On how many occasions did I tell you that the {noun} for {entity} is {value}?",
    "In how many of our conversations did I give {value} as the {noun} for {entity}?",
    "How many conversations are there in which I said that the {noun} for {entity} is {value}?",
    "Over all our conversations, how often was {value} the {noun} that I gave for {entity}?",
    bare=True,
    source=False,
)
def how_often_said(draft: Draft) -> Plan:
    """On how many occasions one thing was given one value."""
    attribute, entity, count = draft.attribute(), draft.entity(), draft.rng.choice(SEVERAL)
    (value,) = draft.values(attribute, 1)
    tell(draft, [entity] * count, attribute, [value] * count)
    said = States(attribute=attribute, entity=entity, value=value, compare="eq")
    return draft.close(
        Count(of=Open(where=(About(entity=entity), said))),
        COUNT,
        entity=entity,
        noun=describe(attribute).noun,
        value=str(value),
    )
