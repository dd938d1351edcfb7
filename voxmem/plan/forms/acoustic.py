"""Forms over how something was said and over what was audible: the same questions about two
channels (VoxMem, Tables 5 to 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Literal

from voxmem.plan.draft import Draft, compatible_cues, describe, some_sounds
from voxmem.plan.forms import add
from voxmem.query import (
    About,
    Condition,
    Count,
    Declared,
    Delivered,
    Dominant,
    Heard,
    Latest,
    Named,
    Nth,
    Only,
    Open,
    Query,
    Read,
    ReadCue,
    ReadFact,
    Reading,
    ReadSound,
    Same,
    Sequence,
    States,
    Topic,
)
from voxmem.records import AnswerSpace, Plan, Role, Value
from voxmem.taxonomy import AnswerType, EvidenceType, Route, Subtype
from voxmem.vocabulary import DELIVERIES, SOUNDS

_VOICE_PHRASES = {
    "excited": "sounding excited",
    "hesitant": "sounding hesitant",
    "monotone": "speaking in a monotone",
    "reflective": "sounding reflective",
    "sad": "sounding sad",
    "tense": "sounding tense",
    "whispered": "whispering",
    "fast": "speaking fast",
    "slow": "speaking slowly",
}
_SOUND_PHRASES = {
    "birds": "birds",
    "crickets": "crickets",
    "rain": "rain",
    "sea waves": "sea waves",
    "engine": "an engine",
    "siren": "a siren",
    "car horn": "a car horn",
    "train": "a train",
    "helicopter": "a helicopter",
    "clock ticking": "a ticking clock",
    "keyboard typing": "keyboard typing",
    "church bells": "church bells",
}


@dataclass(frozen=True)
class AcousticChannel:
    """What the two channels say differently."""

    evidence: EvidenceType
    prefix: str
    field: Literal["cue", "sound"]
    draw: Callable[[Random, int], list[str]]
    read: Read
    condition: Callable[[str], Condition]
    while_: Callable[[str], str]
    """A clause that picks a conversation by its value."""
    ask: str
    """What is asked of one conversation, completed by ``of``."""
    ask_many: str
    same: str
    closed: bool

    def space(self, options: list[str], length: int | None = None) -> AnswerSpace:
        if not self.closed:
            return AnswerSpace(options=tuple(SOUNDS), length=length)
        return AnswerSpace(options=tuple(sorted(options)), length=length, closed=True)

    def choices(self, options: list[str]) -> str:
        """The option list as a sentence, for questions with a closed answer set."""
        if not self.closed:
            return ""
        names = sorted(options)
        return f" Choose from {', '.join(names[:-1])} or {names[-1]}."


VOICE = AcousticChannel(
    evidence=EvidenceType.PARALINGUISTIC,
    prefix="voice",
    field="cue",
    draw=compatible_cues,
    read=ReadCue(dimension="vocal_state"),
    condition=lambda value: Delivered(dimension=DELIVERIES[value], value=value),
    while_=lambda value: f"while {_VOICE_PHRASES[value]}",
    ask="How did my voice sound when I talked about {entity}?",
    ask_many="how did my voice sound",
    same="Did my voice sound the same way",
    closed=True,
)
BACKGROUND = AcousticChannel(
    evidence=EvidenceType.ENVIRONMENTAL,
    prefix="sound",
    field="sound",
    draw=some_sounds,
    read=ReadSound(level="event"),
    condition=lambda value: Heard(level="event", value=value),
    while_=lambda value: f"with {_SOUND_PHRASES[value]} in the background",
    ask="Which sound was in the background when I talked about {entity}?",
    ask_many="which sound was in the background",
    same="Was the same sound in the background",
    closed=False,
)


def _place(
    draft: Draft,
    channel: AcousticChannel,
    entities: list[str],
    values: list[str],
    spare: list[str],
    *,
    in_order: bool,
    samekey_entity: str | None = None,
) -> None:
    """Evidence sessions with their values, and haystack with values of the same kind."""
    turns = draft.turns(len(values))
    spare = draft.rng.sample(spare, len(spare))
    moments = draft.days(len(values), sorted_=in_order)
    for entity, value, when in zip(entities, values, moments, strict=True):
        _add(draft, channel, "evidence", entity, when, value, next(turns))
    for at, when in enumerate(draft.days(draft.config.budgets[-1].samekey)):
        entity = samekey_entity or draft.entity()
        _add(draft, channel, "samekey_haystack", entity, when, spare[at % len(spare)], next(turns))
    profile: list[str | None] = [*spare, None]
    draft.topical(
        profile if channel.field == "cue" else [], profile if channel.field == "sound" else []
    )


def _add(
    draft: Draft,
    channel: AcousticChannel,
    role: Role,
    entity: str,
    when: datetime,
    heard: str,
    turns: int,
    *,
    attribute: str | None = None,
    value: Value | None = None,
) -> None:
    draft.session(
        role,
        entity,
        when,
        turns=turns,
        attribute=attribute,
        value=value,
        cue=heard if channel.field == "cue" else None,
        sound=heard if channel.field == "sound" else None,
    )


def _about(entities: list[str], read: Read) -> Reading:
    anchors = tuple((About(entity=entity),) for entity in entities)
    return Reading(select=Named(anchors=anchors), read=read)


def attribute_of(draft: Draft, channel: AcousticChannel) -> Plan:
    """Words locate the session, the sound of it is asked."""
    entity = draft.entity()
    value, *spare = channel.draw(draft.rng, 4)
    _place(draft, channel, [entity], [value], spare, in_order=False)
    return draft.close(
        Only(of=_about([entity], channel.read)),
        channel.ask.format(entity=entity) + channel.choices([value, *spare]),
        AnswerType.CATEGORICAL,
        channel.space([value, *spare]),
    )


def fact_by(draft: Draft, channel: AcousticChannel) -> Plan:
    """The sound of a session locates it among those on one topic, a fact of it is asked."""
    attribute = draft.attribute()
    value, *spare = channel.draw(draft.rng, 4)
    count = draft.config.budgets[-1].samekey
    fact, *wrong = draft.values(attribute, count + 1)
    turns = draft.turns(1)
    entity = draft.entity()
    where: tuple[Condition, ...] = (
        Topic(topic=draft.topic),
        States(attribute=attribute),
        channel.condition(value),
    )
    _add(
        draft,
        channel,
        "evidence",
        entity,
        draft.days(1)[0],
        value,
        next(turns),
        attribute=attribute,
        value=fact,
    )
    for at, when in enumerate(draft.days(count)):
        _add(
            draft,
            channel,
            "samekey_haystack",
            draft.entity(),
            when,
            spare[at % len(spare)],
            next(turns),
            attribute=attribute,
            value=wrong[at],
        )
    profile: list[str | None] = [*spare, None]
    draft.topical(
        profile if channel.field == "cue" else [], profile if channel.field == "sound" else []
    )
    reading = Reading(select=Named(anchors=(where,)), read=ReadFact(attribute=attribute))
    return draft.close(
        Only(of=reading),
        f"In the {draft.topic} conversation that I had {channel.while_(value)}, which "
        f"{describe(attribute).noun} did I mention?",
        AnswerType.CATEGORICAL,
        AnswerSpace(options=tuple(str(option) for option in describe(attribute).domain)),
    )


def count_with(draft: Draft, channel: AcousticChannel) -> Plan:
    """How many sessions about an entity have a value."""
    entity = draft.entity()
    value, *spare = channel.draw(draft.rng, 4)
    times = 2 + draft.index % 2
    _place(
        draft,
        channel,
        [entity] * times,
        [value] * times,
        spare,
        in_order=False,
        samekey_entity=entity,
    )
    return draft.close(
        Count(of=Open(where=(About(entity=entity), channel.condition(value)))),
        f"How many of our conversations about {entity} did I have {channel.while_(value)}?",
        AnswerType.NUMBER,
        AnswerSpace(low=1, high=times + draft.config.budgets[-1].samekey),
    )


def same_in(draft: Draft, channel: AcousticChannel) -> Plan:
    """Whether two sessions have one value."""
    entities = [draft.entity(), draft.entity()]
    one, two, *spare = channel.draw(draft.rng, 4)
    values = [one, one if draft.index % 2 else two]
    _place(draft, channel, entities, values, [two, *spare], in_order=False)
    return draft.close(
        Same(of=_about(entities, channel.read)),
        f"{channel.same} when I talked about {entities[0]} and about {entities[1]}?",
        AnswerType.YES_NO,
        AnswerSpace(options=("yes", "no"), closed=True),
    )


def _stages(
    draft: Draft, channel: AcousticChannel, values: list[str], spare: list[str], *, in_order: bool
) -> tuple[str, Reading]:
    entity = draft.entity()
    _place(draft, channel, [entity] * len(values), values, spare, in_order=in_order)
    select = Declared(where=(About(entity=entity),), count=len(values))
    return entity, Reading(select=select, read=channel.read)


def dominant_in(draft: Draft, channel: AcousticChannel) -> Plan:
    """The value that most of three sessions have."""
    one, two, *spare = channel.draw(draft.rng, 4)
    values = [one, one, two]
    draft.rng.shuffle(values)
    entity, reading = _stages(draft, channel, values, [two, *spare], in_order=False)
    return draft.close(
        Dominant(of=reading),
        f"Over our three conversations about {entity}, {channel.ask_many} most often?"
        + channel.choices([one, two, *spare]),
        AnswerType.CATEGORICAL,
        channel.space([one, two, *spare]),
    )


def _single_stage(
    draft: Draft, channel: AcousticChannel, stage: int, make: Callable[[Reading], Query], which: str
) -> Plan:
    *values, spare = channel.draw(draft.rng, 4)
    wrong = [value for value in values if value != values[stage]]
    entity, reading = _stages(draft, channel, values, [*wrong, spare], in_order=True)
    return draft.close(
        make(reading),
        f"We had three conversations about {entity}. In the {which} one, {channel.ask_many}?"
        + channel.choices([*values, spare]),
        AnswerType.CATEGORICAL,
        channel.space([*values, spare]),
    )


def latest_of(draft: Draft, channel: AcousticChannel) -> Plan:
    """The value of the last of three sessions."""
    return _single_stage(draft, channel, 2, lambda reading: Latest(of=reading), "most recent")


def second_of(draft: Draft, channel: AcousticChannel) -> Plan:
    """The value of the second of three sessions."""
    return _single_stage(draft, channel, 1, lambda reading: Nth(of=reading, n=2), "second")


def sequence_of(draft: Draft, channel: AcousticChannel) -> Plan:
    """The values of three sessions in order."""
    *values, spare = channel.draw(draft.rng, 4)
    entity, reading = _stages(draft, channel, values, [*values, spare], in_order=True)
    return draft.close(
        Sequence(of=reading),
        f"We had three conversations about {entity}. From first to last, {channel.ask_many}?"
        + channel.choices([*values, spare]),
        AnswerType.ORDERED_LIST,
        channel.space([*values, spare], length=3),
    )


_BUILDERS: tuple[tuple[Subtype, Callable[[Draft, AcousticChannel], Plan]], ...] = (
    (Subtype.CONTEXT_TO_CUE, attribute_of),
    (Subtype.CUE_TO_FACT, fact_by),
    (Subtype.COUNTING, count_with),
    (Subtype.MATCHING, same_in),
    (Subtype.AGGREGATION, dominant_in),
    (Subtype.LATEST_STATE, latest_of),
    (Subtype.HISTORICAL_STATE, second_of),
    (Subtype.EVOLUTION, sequence_of),
)


def _bind(
    build: Callable[[Draft, AcousticChannel], Plan], channel: AcousticChannel
) -> Callable[[Draft], Plan]:
    return lambda draft: build(draft, channel)


for _channel in (VOICE, BACKGROUND):
    for _subtype, _build in _BUILDERS:
        add(
            f"{_channel.prefix}_{_build.__name__}",
            Route(_channel.evidence, _subtype),
            _bind(_build, _channel),
        )
