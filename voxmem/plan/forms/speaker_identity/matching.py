"""Forms that match the voices of different sessions (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, listed
from voxmem.plan.forms import form
from voxmem.plan.forms.speaker_identity.voices import spoken_by
from voxmem.plan.forms.telling import FEW, YES_NO, choices, each, grouped, some, speak
from voxmem.query import (
    About,
    Alike,
    CountDistinct,
    OddOneOut,
    Reading,
    ReadSpeaker,
    Same,
    SpokenBy,
    WhichOf,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


@form(
    _SPEAKER,
    Subtype.MATCHING,
    AnswerType.YES_NO,
    "Did the same person talk to you about {one} and about {two}?",
    "You had conversations about {one} and about {two}. Was it one and the same person?",
    "Is the voice in the conversation about {one} the one that you heard about {two}?",
    "Comparing the conversations about {one} and {two}, did one person have them both?",
)
def same_speaker(draft: Draft) -> Plan:
    """Whether two sessions have one voice."""
    entities, (one, two) = draft.entities(2), draft.rng.sample(draft.cast, 2)
    speak(draft, entities, [one, one if draft.coin() else two])
    query = Same(of=Reading(select=each(entities), read=ReadSpeaker()))
    return draft.close(query, YES_NO, one=entities[0], two=entities[1])


@form(
    _SPEAKER,
    Subtype.MATCHING,
    AnswerType.UNORDERED_SET,
    "Which of these did I talk to you about myself: {options}? It may be one or more.",
    "You had conversations about {names}. Which of them, one or more, were with me?",
    "One or more of the conversations about {names} were mine. Which ones?",
    "Look at the conversations about {names}. In which of them was I speaking?",
)
def which_were_mine(draft: Draft) -> Plan:
    """Which of three sessions were the asker's: some, but not all."""
    entities = draft.entities(3)
    mine = some(draft, entities)
    speak(draft, entities, spoken_by(draft, [name in mine for name in entities]))
    query = WhichOf(labels=tuple(entities), select=each(entities), having=(SpokenBy(),))
    options = listed(entities, "or")
    return draft.close(query, choices(entities), names=listed(entities), options=options)


@form(
    _SPEAKER,
    Subtype.MATCHING,
    AnswerType.UNORDERED_SET,
    "Somebody told you about {model}. What else did you hear from that person: {options}? It may "
    "be one or more.",
    "Of the conversations about {names}, one or more were with the person who talked about "
    "{model}. Which ones?",
    "Which of {names} did you discuss with the same person as {model}? It may be one or more.",
    "Whoever told you about {model} also talked about one or more of these: {options}. Which?",
)
def same_person_as(draft: Draft) -> Plan:
    """Which of several sessions have the voice of another one."""
    model, *entities = draft.entities(3)
    speaker, *rest = draft.rng.sample(draft.cast, 3)
    theirs = some(draft, entities, whole=True)
    voices = [speaker if name in theirs else draft.rng.choice(rest) for name in entities]
    speak(draft, [model, *entities], [speaker, *voices])
    query = Alike(
        labels=tuple(entities),
        of=Reading(select=each(entities), read=ReadSpeaker()),
        reference=(About(entity=model),),
    )
    options = listed(entities, "or")
    space = choices(entities)
    return draft.close(query, space, names=listed(entities), options=options, model=model)


@form(
    _SPEAKER,
    Subtype.MATCHING,
    AnswerType.CATEGORICAL,
    "Two of the conversations about {names} were with one person, and one was with somebody else. "
    "Which one?",
    "One of these was with another person than the two others: {options}. Which one?",
    "Going by the voice, which conversation does not go with the other two: the one about "
    "{options}?",
    "The conversations about {names} were with two people. Which one was the only one with its "
    "speaker?",
)
def odd_voice_out(draft: Draft) -> Plan:
    """Which of three sessions has a voice of its own."""
    entities, (one, two) = draft.entities(3), draft.rng.sample(draft.cast, 2)
    odd = draft.rng.choice(entities)
    speak(draft, entities, [two if name == odd else one for name in entities])
    query = OddOneOut(labels=tuple(entities), of=Reading(select=each(entities), read=ReadSpeaker()))
    space = choices(entities)
    return draft.close(query, space, names=listed(entities), options=listed(entities, "or"))


@form(
    _SPEAKER,
    Subtype.MATCHING,
    AnswerType.NUMBER,
    "Sort the conversations about {names} by who was speaking. How many groups do you get?",
    "If you put {names} together by the voice you heard, how many groups are there?",
    "Group the conversations about {names} so that each has one speaker. How many groups is that?",
    "How many different people are behind the conversations about {names}?",
)
def voice_groups(draft: Draft) -> Plan:
    """How many groups several sessions form by their voices."""
    count = draft.rng.choice(FEW)
    groups = draft.rng.randint(1, count)
    entities, people = draft.entities(count), draft.rng.sample(draft.cast, groups)
    speak(draft, entities, [people[at] for at in grouped(draft, count, groups)])
    query = CountDistinct(of=Reading(select=each(entities), read=ReadSpeaker()))
    return draft.close(query, AnswerSpace(low=1, high=count), names=listed(entities))
