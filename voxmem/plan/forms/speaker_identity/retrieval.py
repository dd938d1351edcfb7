"""Forms that find one session by words and ask for its voice, or the other way round (VoxMem,
Table 5)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, day_in_words, describe, told
from voxmem.plan.forms import form
from voxmem.plan.forms.speaker_identity.voices import riddle
from voxmem.plan.forms.telling import YES_NO, domain, stated
from voxmem.query import (
    About,
    Condition,
    Dated,
    IsAsker,
    Named,
    Only,
    ReadFact,
    Reading,
    ReadSpeaker,
    SpokenBy,
    States,
    Topic,
)
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


def _voice(*anchor: Condition) -> Only:
    return Only(of=Reading(select=Named(anchors=(anchor,)), read=ReadSpeaker()))


def _fact(attribute: str, entity: str | None, *anchor: Condition) -> Only:
    read = ReadFact(attribute=attribute, entity=entity)
    return Only(of=Reading(select=Named(anchors=(anchor,)), read=read))


def _either(draft: Draft) -> str:
    """The asker or somebody else."""
    return draft.asker if draft.coin() else draft.others(1)[0]


# --- context to cue ---------------------------------------------------------------------------


@form(
    _SPEAKER,
    Subtype.CONTEXT_TO_CUE,
    AnswerType.YES_NO,
    "Was I the person who talked to you about {entity}, or was it somebody else?",
    "Somebody told you about {entity} at some point. Was that me?",
    "When you had a conversation about {entity}, was I the one speaking?",
    "Think back to the conversation about {entity}. Did you have it with me?",
)
def was_it_me(draft: Draft) -> Plan:
    """Whether the session about an entity was the asker's."""
    entity = draft.entity()
    draft.evidence(entity, draft.moments(1)[0], speaker=_either(draft))
    return draft.close(IsAsker(of=_voice(About(entity=entity))), YES_NO, entity=entity)


@form(
    _SPEAKER,
    Subtype.CONTEXT_TO_CUE,
    AnswerType.YES_NO,
    "Somebody talked to you about {topic} on {day}. Was that me, or another person?",
    "On {day} you had a conversation about {topic}. Was I the one you had it with?",
    "Who spoke with you about {topic} on {day}? I would like to know whether it was me.",
    "Was it me who talked to you on {day}, when the subject was {topic}?",
    source=False,
)
def was_it_me_on(draft: Draft) -> Plan:
    """Whether the session of a day was the asker's."""
    when = draft.moments(1)[0]
    draft.evidence(draft.entity(), when, speaker=_either(draft))
    query = IsAsker(of=_voice(Topic(topic=draft.topic), Dated(day=when.date())))
    return draft.close(query, YES_NO, topic=draft.topic, day=day_in_words(when))


@form(
    _SPEAKER,
    Subtype.CONTEXT_TO_CUE,
    AnswerType.YES_NO,
    "Was the person who talked to you about {entity} the same one who talked about {model}?",
    "Did whoever told you about {model} also talk to you about {entity}?",
    "You heard about {entity} and about {model}. Was it the same voice both times?",
    "Compare who spoke about {entity} with who spoke about {model}. Is that one person?",
)
def same_voice_as(draft: Draft) -> Plan:
    """Whether a session is by the speaker of another one."""
    entity, model = draft.entities(2)
    one, two = draft.rng.sample(draft.cast, 2)
    here, there = draft.moments(2)
    draft.evidence(entity, here, speaker=one)
    draft.evidence(model, there, speaker=one if draft.coin() else two)
    query = IsAsker(of=_voice(About(entity=entity)), same_as=(About(entity=model),))
    return draft.close(query, YES_NO, entity=entity, model=model)


_WHOSE = (
    "Who talked to you about {entity}: {options}?",
    "Somebody told you about {entity}. Who was it: {options}?",
    "Whose voice was it in the conversation about {entity}: {options}?",
    "Think of the conversation about {entity}. Did you have it with {options}?",
)


@form(_SPEAKER, Subtype.CONTEXT_TO_CUE, AnswerType.CATEGORICAL, *_WHOSE)
def whose_voice(draft: Draft) -> Plan:
    """Whose the session about an entity was, of several people."""
    asked, entity = riddle(draft), draft.entity()
    draft.evidence(entity, draft.moments(1)[0], speaker=asked.speaker)
    return asked.close(draft, _voice(About(entity=entity)), entity=entity)


@form(
    _SPEAKER,
    Subtype.CONTEXT_TO_CUE,
    AnswerType.CATEGORICAL,
    "Who talked to you about {topic} on {day}: {options}?",
    "You had a conversation about {topic} on {day}. Who was it with: {options}?",
    "Whose voice did you hear on {day}, when it was about {topic}: {options}?",
    "On {day} somebody spoke about {topic}. Was it {options}?",
)
def whose_voice_on(draft: Draft) -> Plan:
    """Whose the session of a day was, of several people."""
    asked, when = riddle(draft), draft.moments(1)[0]
    draft.evidence(draft.entity(), when, speaker=asked.speaker)
    voice = _voice(Topic(topic=draft.topic), Dated(day=when.date()))
    return asked.close(draft, voice, topic=draft.topic, day=day_in_words(when))


# --- cue to fact ------------------------------------------------------------------------------


@form(
    _SPEAKER,
    Subtype.CUE_TO_FACT,
    AnswerType.CATEGORICAL,
    "Several of us may have told you about {entity}. In my own words, {ask}",
    "Please tell me {told}, going only by what I said myself.",
    "I am not asking about the others. What did I tell you as the {noun} for {entity}?",
    "Can you tell me {told}, according to me and nobody else?",
    bare=True,
)
def what_i_said(draft: Draft) -> Plan:
    """A fact that several users may state differently; the asker's voice tells whose is meant."""
    return _my_fact(draft, draft.attribute())


@form(
    _SPEAKER,
    Subtype.CUE_TO_FACT,
    AnswerType.FREE_TEXT,
    "Please tell me {told}, but only as I described it to you myself.",
    "Leave aside what anybody else said. What did I tell you as the {noun} for {entity}?",
    "Which {noun} for {entity} did you hear from me, and not from somebody else?",
    "Others may see it another way, but {ask}",
    bare=True,
)
def what_i_said_freely(draft: Draft) -> Plan:
    """The same over a fact in the asker's own words."""
    return _my_fact(draft, draft.attribute("open"))


def _my_fact(draft: Draft, attribute: str) -> Plan:
    entity, item = draft.entity(), describe(attribute)
    draft.evidence(entity, draft.moments(1)[0], attribute=attribute)
    ask = item.ask_i.format(entity=entity)
    return draft.close(
        _fact(attribute, entity, *stated(attribute, entity, SpokenBy())),
        domain(attribute),
        ask=ask[0].lower() + ask[1:],
        told=told(attribute, entity),
        noun=item.noun,
        entity=entity,
    )


@form(
    _SPEAKER,
    Subtype.CUE_TO_FACT,
    AnswerType.CATEGORICAL,
    "Somebody told you about {model}. According to that same person, please tell me {told}.",
    "Going by what the person who talked about {model} said, can you tell me {told}?",
    "I would like to know {told}, but from the one who also talked to you about {model}.",
    "Which {noun} for {entity} did you hear from the person who told you about {model}?",
    bare=True,
)
def what_they_said(draft: Draft) -> Plan:
    """A fact as the speaker of another session stated it."""
    (speaker,), (entity, model), attribute = draft.others(1), draft.entities(2), draft.attribute()
    here, there = draft.moments(2)
    draft.evidence(entity, here, attribute=attribute, speaker=speaker)
    draft.evidence(model, there, speaker=speaker)
    same = SpokenBy(same_as=(About(entity=model),))
    return draft.close(
        _fact(attribute, entity, *stated(attribute, entity, same)),
        domain(attribute),
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
        model=model,
    )


@form(
    _SPEAKER,
    Subtype.CUE_TO_FACT,
    AnswerType.CATEGORICAL,
    "When I was the one talking about {topic}, which {noun} did I mention?",
    "Others talk to you about {topic} too. Which {noun} did you hear from me?",
    "On the subject of {topic}, what is the one {noun} that I gave you in person?",
    "Going only by what I said about {topic}, what was the {noun} that came up?",
    bare=True,
)
def what_i_said_on_topic(draft: Draft) -> Plan:
    """The one value that the asker gave on a topic where others gave theirs."""
    attribute = draft.attribute()
    draft.evidence(draft.entity(), draft.moments(1)[0], attribute=attribute)
    anchor = (Topic(topic=draft.topic), States(attribute=attribute), SpokenBy())
    return draft.close(
        _fact(attribute, None, *anchor),
        domain(attribute),
        topic=draft.topic,
        noun=describe(attribute).noun,
    )
