"""Forms that combine or compare what was said of different things (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe, listed
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import (
    FEW,
    choices,
    domain,
    gap_of,
    tell,
    total_of,
    values_of,
)
from voxmem.query import (
    Difference,
    Dominant,
    Extreme,
    Merge,
    Sum,
)
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS


@form(
    _SEMANTICS,
    Subtype.AGGREGATION,
    AnswerType.NUMBER,
    "Taken together, what is the total {noun} that I gave for {names}?",
    "Add up what I told you about {names}. What is the {noun} in all?",
    "If you sum it up over {names}, what {noun} do you get from what I said?",
    "What does the {noun} come to for {names} combined, going by what I told you?",
    bare=True,
)
def total(draft: Draft) -> Plan:
    """The sum of numbers given in different sessions."""
    attribute, count = draft.attribute("number"), draft.rng.choice(FEW)
    entities = draft.entities(count)
    tell(draft, entities, attribute, draft.values(attribute, count))
    query, space = Sum(of=values_of(entities, attribute)), total_of(attribute, count)
    return draft.close(query, space, noun=describe(attribute).noun, names=listed(entities))


@form(
    _SEMANTICS,
    Subtype.AGGREGATION,
    AnswerType.NUMBER,
    "Going by what I told you, how far apart is the {noun} for {one} and for {two}?",
    "What is the difference between the {noun} for {one} and the {noun} for {two}?",
    "Compare {one} with {two}. By how much does the {noun} that I gave differ?",
    "Between {one} and {two}, how large is the gap in the {noun} that I mentioned?",
    bare=True,
)
def difference(draft: Draft) -> Plan:
    """How far two numbers are apart."""
    attribute, entities = draft.attribute("number"), draft.entities(2)
    tell(draft, entities, attribute, draft.values(attribute, 2))
    noun = describe(attribute).noun
    query = Difference(of=values_of(entities, attribute))
    return draft.close(query, gap_of(attribute), noun=noun, one=entities[0], two=entities[1])


@form(
    _SEMANTICS,
    Subtype.AGGREGATION,
    AnswerType.UNORDERED_SET,
    "Put together for me all the {plural} that I gave for {names}, in any order.",
    "Which {plural} did I mention for {names}? Please list all of them, the order does not matter.",
    "List every {noun} that came up for {names} in what I told you, in any order.",
    "Taking {names} together, which {plural} have I told you? Name each one once.",
    bare=True,
)
def merged_values(draft: Draft) -> Plan:
    """The set of values that several things were given."""
    attribute, count = draft.attribute(), draft.rng.choice(FEW)
    entities = draft.entities(count)
    tell(draft, entities, attribute, draft.values(attribute, count))
    return draft.close(
        Merge(of=values_of(entities, attribute)),
        domain(attribute),
        noun=describe(attribute).noun,
        plural=describe(attribute).plural,
        names=listed(entities),
    )


@form(
    _SEMANTICS,
    Subtype.AGGREGATION,
    AnswerType.CATEGORICAL,
    "Going by what I told you, which has the {most} {noun}: {options}?",
    "For which of these did I give you the {most} {noun}: {options}?",
    "According to what I said, where is the {noun} {most}: {options}?",
    "Compare the {noun} that I gave for {names}. Which comes out {most}?",
    bare=True,
)
def extreme_of(draft: Draft) -> Plan:
    """Which of several things was given the highest, or the lowest, number."""
    attribute, count = draft.attribute("number"), draft.rng.choice(FEW)
    entities, least = draft.entities(count), draft.coin()
    tell(draft, entities, attribute, draft.values(attribute, count))
    return draft.close(
        Extreme(labels=tuple(entities), of=values_of(entities, attribute), least=least),
        choices(entities),
        most="lowest" if least else "highest",
        noun=describe(attribute).noun,
        names=listed(entities),
        options=listed(entities, "or"),
    )


@form(
    _SEMANTICS,
    Subtype.AGGREGATION,
    AnswerType.CATEGORICAL,
    "For {names}, which {noun} did I give more often, {options}?",
    "Looking at {names}, does {options} come up more often as the {noun}?",
    "I gave you the {noun} for {names}. Which one is in the majority, {options}?",
    "As the {noun} for {names}, did I choose {options} more often?",
    bare=True,
)
def more_often(draft: Draft) -> Plan:
    """Which of two values more of three things were given."""
    attribute, entities = draft.attribute("words"), draft.entities(3)
    one, two = draft.values(attribute, 2)
    rare = draft.rng.choice(entities)
    tell(draft, entities, attribute, [two if name == rare else one for name in entities])
    options = sorted((str(one), str(two)))
    return draft.close(
        Dominant(of=values_of(entities, attribute)),
        choices(options),
        noun=describe(attribute).noun,
        names=listed(entities),
        options=listed(options, "or"),
    )
