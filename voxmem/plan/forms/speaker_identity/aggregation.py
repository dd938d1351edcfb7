"""Forms that combine or compare only what one person said (VoxMem, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.plan.draft import Draft, describe, listed
from voxmem.plan.forms import form
from voxmem.plan.forms.speaker_identity.voices import ME, SOMEONE_ELSE
from voxmem.plan.forms.telling import (
    FEW,
    NUMBERS,
    choices,
    domain,
    gap_of,
    speak,
    stated,
    tell,
    total_of,
    visits,
)
from voxmem.query import (
    Difference,
    Dominant,
    Extreme,
    Merge,
    Named,
    ReadFact,
    Reading,
    SpokenBy,
    Sum,
    WhoseVoice,
)
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


def _mine(draft: Draft, entities: Sequence[str], *kinds: str) -> tuple[str, Reading]:
    """The asker's own values of several things, all different, where others may give theirs."""
    attribute = draft.attribute(*kinds)
    tell(draft, entities, attribute, draft.values(attribute, len(entities)))
    anchors = tuple(stated(attribute, entity, SpokenBy()) for entity in entities)
    return attribute, Reading(select=Named(anchors=anchors), read=ReadFact(attribute=attribute))


@form(
    _SPEAKER,
    Subtype.AGGREGATION,
    AnswerType.NUMBER,
    "Counting only what I told you myself, what is the total {noun} for {names}?",
    "Add up the {noun} for {names}, but only as I gave it to you in person. What do you get?",
    "Others may have told you something else. By my own account, what is the {noun} for {names} "
    "together?",
    "Leave out what anybody else said. Taken together, what {noun} did I give for {names}?",
    bare=True,
)
def my_total(draft: Draft) -> Plan:
    """The sum of numbers that the asker gave."""
    entities = draft.entities(draft.rng.choice(FEW))
    attribute, reading = _mine(draft, entities, "number")
    space = total_of(attribute, len(entities))
    noun = describe(attribute).noun
    return draft.close(Sum(of=reading), space, noun=noun, names=listed(entities))


@form(
    _SPEAKER,
    Subtype.AGGREGATION,
    AnswerType.NUMBER,
    "Going only by what I said myself, how far apart is the {noun} for {one} and for {two}?",
    "By my own account, what is the difference between the {noun} for {one} and for {two}?",
    "Compare {one} with {two}. By how much does the {noun} differ that you heard from me?",
    "Ignore the others. Between {one} and {two}, how large is the gap in the {noun} that I gave?",
    bare=True,
)
def my_difference(draft: Draft) -> Plan:
    """How far two numbers are apart that the asker gave."""
    entities = draft.entities(2)
    attribute, reading = _mine(draft, entities, "number")
    noun = describe(attribute).noun
    query = Difference(of=reading)
    return draft.close(query, gap_of(attribute), noun=noun, one=entities[0], two=entities[1])


@form(
    _SPEAKER,
    Subtype.AGGREGATION,
    AnswerType.UNORDERED_SET,
    "Which {plural} did I give for {names} myself? List all of them, in any order.",
    "Put together the {plural} for {names} that you heard from me, and only those.",
    "Leave out what the others said. Which {plural} did I name for {names}, in any order?",
    "For {names}, list every {noun} that came from me and from nobody else.",
    bare=True,
)
def my_values(draft: Draft) -> Plan:
    """The set of values that the asker gave."""
    entities = draft.entities(draft.rng.choice(FEW))
    attribute, reading = _mine(draft, entities)
    item = describe(attribute)
    return draft.close(
        Merge(of=reading),
        domain(attribute),
        noun=item.noun,
        plural=item.plural,
        names=listed(entities),
    )


@form(
    _SPEAKER,
    Subtype.AGGREGATION,
    AnswerType.CATEGORICAL,
    "Going only by what I told you myself, which has the {most} {noun}: {options}?",
    "In my own account, for which of these is the {noun} {most}: {options}?",
    "Leave out the others. Where did I give you the {most} {noun}: for {options}?",
    "Compare what you heard from me in person. Is the {noun} {most} for {options}?",
    bare=True,
)
def my_extreme(draft: Draft) -> Plan:
    """Which of several things the asker gave the highest, or the lowest, number."""
    entities, least = draft.entities(draft.rng.choice(FEW)), draft.coin()
    attribute, reading = _mine(draft, entities, "number")
    return draft.close(
        Extreme(labels=tuple(entities), of=reading, least=least),
        choices(entities),
        most="lowest" if least else "highest",
        noun=describe(attribute).noun,
        options=listed(entities, "or"),
    )


@form(
    _SPEAKER,
    Subtype.AGGREGATION,
    AnswerType.CATEGORICAL,
    "There were {times} conversations about {entity}. Who had more of them, me or someone else?",
    "Of the {times} conversations about {entity}, did most come from me or from someone else?",
    "Two people had {times} conversations about {entity}. Who had the larger share, me or someone "
    "else?",
    "Comparing who had the {times} conversations about {entity}, who leads, me or someone else?",
)
def who_talked_more(draft: Draft) -> Plan:
    """Whether the asker, or somebody else, had two of three sessions about an entity."""
    entity, (other,) = draft.entity(), draft.others(1)
    more, less = (draft.asker, other) if draft.coin() else (other, draft.asker)
    speakers = [more, more, less]
    draft.rng.shuffle(speakers)
    speak(draft, [entity] * 3, speakers)
    query = WhoseVoice(
        of=Dominant(of=visits(entity, 3)),
        labels=(ME,),
        references=(None,),
        otherwise=SOMEONE_ELSE,
    )
    return draft.close(query, choices([ME, SOMEONE_ELSE]), times=NUMBERS[3], entity=entity)
