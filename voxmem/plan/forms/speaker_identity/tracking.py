"""Forms over who took part in a line of sessions, and when (VoxMem, Table 7). People do not turn
into others: what changes is who speaks."""

from __future__ import annotations

from voxmem.plan.draft import Draft, day_in_words, describe, told
from voxmem.plan.forms import form
from voxmem.plan.forms.speaker_identity.voices import (
    ME,
    SOMEONE_ELSE,
    mixed,
    riddle,
    spoken_by,
)
from voxmem.plan.forms.telling import (
    FEW,
    MANY,
    NUMBERS,
    ORDINALS,
    YES_NO,
    all_of,
    between,
    changing,
    choices,
    domain,
    returning,
    some,
    speak,
    tell,
    visits,
)
from voxmem.query import (
    About,
    AskerStages,
    AsOf,
    Changes,
    Declared,
    Handoff,
    IsAsker,
    Latest,
    Nth,
    Recurs,
    SpokenBy,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


# --- latest state -----------------------------------------------------------------------------


@form(
    _SPEAKER,
    Subtype.LATEST_STATE,
    AnswerType.YES_NO,
    "Of the {times} conversations about {entity}, was the most recent one with me?",
    "There were {times} conversations about {entity}. Did I have the last of them?",
    "You had {times} conversations about {entity}. Am I the one who spoke about it last?",
    "After {times} conversations about {entity}, was mine the voice that you heard last?",
)
def latest_was_me(draft: Draft) -> Plan:
    """Whether the last of several sessions was the asker's."""
    entity, count = draft.entity(), draft.rng.choice(FEW)
    speakers = spoken_by(draft, mixed(draft, count, count - 1))
    speak(draft, [entity] * count, speakers, in_order=True)
    query = IsAsker(of=Latest(of=visits(entity, count)))
    return draft.close(query, YES_NO, times=NUMBERS[count], entity=entity)


@form(
    _SPEAKER,
    Subtype.LATEST_STATE,
    AnswerType.CATEGORICAL,
    "There were two conversations about {entity}. Who had the more recent one: {options}?",
    "Of the two conversations about {entity}, whose voice was it in the later one: {options}?",
    "You talked about {entity} with two people. Was the last one {options}?",
    "Two people spoke to you about {entity}, one after the other. Who was the later: {options}?",
)
def latest_whose(draft: Draft) -> Plan:
    """Whose the last of two sessions was, of several people."""
    asked, entity = riddle(draft), draft.entity()
    earlier = draft.rng.choice(asked.others)
    speak(draft, [entity] * 2, [earlier, asked.speaker], in_order=True)
    return asked.close(draft, Latest(of=visits(entity, 2)), entity=entity)


@form(
    _SPEAKER,
    Subtype.LATEST_STATE,
    AnswerType.CATEGORICAL,
    "Going by my own latest update, and not by what others said, please tell me {told}.",
    "Others may have told you something since. What did I say last as the {noun} for {entity}?",
    "By the last that you heard from me in person, can you tell me {told}?",
    "Whatever the others may have said, what is the {noun} for {entity} after my own last word?",
    bare=True,
    source=False,
)
def my_latest_value(draft: Draft) -> Plan:
    """The last of the asker's own updates, where others may have given later ones."""
    attribute, entity = draft.attribute(), draft.entity()
    tell(draft, [entity] * 2, attribute, draft.values(attribute, 2), in_order=True)
    return draft.close(
        Latest(of=all_of(attribute, entity, SpokenBy())),
        domain(attribute),
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


# --- historical state -------------------------------------------------------------------------


@form(
    _SPEAKER,
    Subtype.HISTORICAL_STATE,
    AnswerType.YES_NO,
    "There were {times} conversations about {entity}. Was the {nth} one with me?",
    "Of the {times} conversations about {entity}, did I have the {nth} one?",
    "You had {times} conversations about {entity}. Was I the one speaking in the {nth}?",
    "Going through the {times} conversations about {entity}, was the {nth} of them mine?",
)
def nth_was_me(draft: Draft) -> Plan:
    """Whether an earlier one of several sessions was the asker's."""
    entity, count = draft.entity(), draft.rng.choice(FEW)
    stage = draft.rng.randint(1, count - 1)
    speakers = spoken_by(draft, mixed(draft, count, stage - 1))
    speak(draft, [entity] * count, speakers, in_order=True)
    query = IsAsker(of=Nth(of=visits(entity, count), n=stage))
    return draft.close(query, YES_NO, times=NUMBERS[count], nth=ORDINALS[stage], entity=entity)


@form(
    _SPEAKER,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "Two people told you about {entity}. Whose voice had you heard on it by the end of {day}: "
    "{options}?",
    "There were two conversations about {entity}. Who had the one that took place by {day}: "
    "{options}?",
    "Of two conversations about {entity}, only one had taken place by the evening of {day}. Who "
    "was it with: {options}?",
    "Up to {day} you had heard about {entity} from only one of two people. Was it {options}?",
)
def whose_as_of(draft: Draft) -> Plan:
    """Whose the session was that had taken place by a day between two of them."""
    asked, entity = riddle(draft), draft.entity()
    later = draft.rng.choice(asked.others)
    speak(draft, [entity] * 2, [asked.speaker, later], in_order=True)
    at = between(draft, *draft.sessions[-2:])
    query = AsOf(of=visits(entity, 2), at=at)
    return asked.close(draft, query, day=day_in_words(at), entity=entity)


@form(
    _SPEAKER,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "There were two conversations about {entity}. Who had the first one: {options}?",
    "Of the two conversations about {entity}, whose voice was it in the earlier one: {options}?",
    "You talked about {entity} with two people. Was the first one {options}?",
    "Two people spoke to you about {entity}, one after the other. Who began: {options}?",
)
def first_whose(draft: Draft) -> Plan:
    """Whose the first of two sessions was, of several people."""
    asked, entity = riddle(draft), draft.entity()
    later = draft.rng.choice(asked.others)
    speak(draft, [entity] * 2, [asked.speaker, later], in_order=True)
    return asked.close(draft, Nth(of=visits(entity, 2), n=1), entity=entity)


# --- evolution --------------------------------------------------------------------------------


def _line(draft: Draft, speakers: list[str]) -> str:
    """Sessions about one entity by a line of speakers."""
    entity = draft.entity()
    speak(draft, [entity] * len(speakers), speakers, in_order=True)
    return entity


@form(
    _SPEAKER,
    Subtype.EVOLUTION,
    AnswerType.NUMBER,
    "There were {times} conversations about {entity}. How many times did the speaker change from "
    "one to the next?",
    "Going through the {times} conversations about {entity} in order, how often does the voice "
    "change?",
    "Over the {times} conversations about {entity}, how many times did another person take over?",
    "In the {times} conversations about {entity}, how often was it not the speaker of the one just "
    "before?",
)
def speaker_changes(draft: Draft) -> Plan:
    """How often the voice changed from one session to the next."""
    count = draft.rng.choice(MANY)
    states = changing(draft, count, draft.rng.randint(1, count - 1))
    people = draft.rng.sample(draft.cast, max(states) + 1)
    entity = _line(draft, [people[state] for state in states])
    space = AnswerSpace(low=0, high=count - 1)
    return draft.close(
        Changes(of=visits(entity, count)), space, times=NUMBERS[count], entity=entity
    )


@form(
    _SPEAKER,
    Subtype.EVOLUTION,
    AnswerType.ORDERED_LIST,
    "There were {times} conversations about {entity}. From first to last, was it me or someone "
    "else each time?",
    "Go through the {times} conversations about {entity} in order, and say for each whether it was "
    "me or someone else.",
    "Who had the {times} conversations about {entity}, one after the other? Say me or someone else "
    "for each.",
    "For the {times} conversations about {entity}, oldest first, tell me for each one: me or "
    "someone else?",
)
def handoff_order(draft: Draft) -> Plan:
    """Session by session, whether it was the asker or somebody else."""
    count = draft.rng.choice(FEW)
    mine = mixed(draft, count, draft.rng.randrange(count))
    entity = _line(draft, spoken_by(draft, mine))
    query = Handoff(of=Declared(where=(About(entity=entity),), count=count))
    space = choices([ME, SOMEONE_ELSE], length=count)
    return draft.close(query, space, times=NUMBERS[count], entity=entity)


@form(
    _SPEAKER,
    Subtype.EVOLUTION,
    AnswerType.ORDERED_LIST,
    "Number the {times} conversations about {entity} from the oldest on. Which numbers were mine, "
    "in order?",
    "There were {times} conversations about {entity}. At which of them, counted from one, was I "
    "speaking? Give me the numbers in order.",
    "Count through the {times} conversations about {entity} as they came. Give the numbers of "
    "those that you had with me, in order.",
    "I had one or more of the {times} conversations about {entity}. By number, from the oldest, "
    "which ones?",
)
def my_stages(draft: Draft) -> Plan:
    """Which of a line of sessions were the asker's."""
    count = 3
    stages = some(draft, range(count))
    entity = _line(draft, spoken_by(draft, [at in stages for at in range(count)]))
    query = AskerStages(of=Declared(where=(About(entity=entity),), count=count))
    space = AnswerSpace(options=tuple(str(at + 1) for at in range(count)))
    return draft.close(query, space, times=NUMBERS[count], entity=entity)


@form(
    _SPEAKER,
    Subtype.EVOLUTION,
    AnswerType.YES_NO,
    "There were {times} conversations about {entity}. Did anybody come back after somebody else "
    "had taken over?",
    "Over the {times} conversations about {entity}, did a voice return after another one?",
    "In the {times} conversations about {entity}, was there a person who spoke again after "
    "somebody else?",
    "Going through the {times} conversations about {entity}, did a speaker come back after being "
    "replaced?",
)
def speaker_returns(draft: Draft) -> Plan:
    """Whether somebody spoke again after another person."""
    count = draft.rng.choice(MANY)
    states = returning(draft, count, draft.coin())
    people = draft.rng.sample(draft.cast, max(states) + 1)
    entity = _line(draft, [people[state] for state in states])
    return draft.close(
        Recurs(of=visits(entity, count)), YES_NO, times=NUMBERS[count], entity=entity
    )
