"""Temporal evolution tracking: the latest value, an earlier one, and how one became the other. The
order of the conversations always matters (VoxMem, Table 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, day_in_words, told
from voxmem.plan.forms.channels import Channel, pattern
from voxmem.plan.forms.channels.stages import course, how_many, over_stages
from voxmem.plan.forms.telling import (
    ORDINALS,
    YES_NO,
    changing,
    domain,
    end_of,
    returning,
    stated,
)
from voxmem.query import (
    AsOf,
    Changes,
    Declared,
    FirstStage,
    Is,
    LastStage,
    Latest,
    Nth,
    Previous,
    ReadFact,
    Reading,
    Recurs,
    Sequence,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, Subtype

_LATEST, _HISTORICAL = Subtype.LATEST_STATE, Subtype.HISTORICAL_STATE
_EVOLUTION = Subtype.EVOLUTION


def _few(draft: Draft) -> int:
    return draft.rng.choice((2, 2, 3))


# --- latest state -----------------------------------------------------------------------------


@pattern(_LATEST, AnswerType.CATEGORICAL)
def latest(draft: Draft, channel: Channel) -> Plan:
    """The value of the last of two or three conversations."""
    options = channel.options(draft.rng)
    values, space = course(draft.rng, options, _few(draft)), channel.space(options)
    return over_stages(
        draft, channel, values, lambda reading: Latest(of=reading), space, options=options
    )


@pattern(_LATEST, AnswerType.YES_NO)
def latest_is(draft: Draft, channel: Channel) -> Plan:
    """Whether the last of two or three conversations has a value that one of them has."""
    value, *others = channel.options(draft.rng)
    values = draft.rng.choices(others, k=_few(draft))
    values[-1 if draft.coin() else draft.rng.randrange(len(values) - 1)] = value
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: Is(of=Latest(of=reading), value=value),
        YES_NO,
        slots=channel.slots[value],
    )


@pattern(_LATEST, AnswerType.CATEGORICAL)
def latest_fact(draft: Draft, channel: Channel) -> Plan:
    """The last of those facts that were stated with a value of the channel."""
    attribute, reading, slots = _facts(draft, channel)
    return draft.close(Latest(of=reading), domain(attribute), **slots)


def _facts(draft: Draft, channel: Channel) -> tuple[str, Reading, dict[str, str]]:
    """Two or three statements of one attribute with one value of the channel: the attribute, what
    reads them, and the slots that describe them."""
    value = channel.value(draft.rng)
    entity, attribute, count = draft.entity(), draft.attribute("words"), _few(draft)
    facts, moments = draft.values(attribute, count), draft.moments(count, in_order=True)
    channel.place(
        draft, [entity] * count, [value] * count, moments, attribute=attribute, facts=facts
    )
    where = stated(attribute, entity, channel.having(value))
    reading = Reading(
        select=Declared(where=where, count=count),
        read=ReadFact(attribute=attribute, entity=entity),
    )
    return attribute, reading, {"told": told(attribute, entity), **how_many(count)}


# --- historical state -------------------------------------------------------------------------


@pattern(_HISTORICAL, AnswerType.CATEGORICAL)
def nth(draft: Draft, channel: Channel) -> Plan:
    """The value of an earlier one of two or three conversations."""
    options = channel.options(draft.rng)
    values, space = course(draft.rng, options, _few(draft)), channel.space(options)
    number = draft.rng.randint(1, len(values) - 1)
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: Nth(of=reading, n=number),
        space,
        options=options,
        slots={"nth": ORDINALS[number]},
    )


@pattern(_HISTORICAL, AnswerType.CATEGORICAL)
def as_of(draft: Draft, channel: Channel) -> Plan:
    """The value that was the last one by a date, of two or three different ones."""
    options = channel.options(draft.rng)
    moments = draft.moments(_few(draft), in_order=True)
    values, space = options[: len(moments)], channel.space(options)
    at = draft.rng.randrange(len(moments) - 1)
    days = [when.toordinal() for when in moments[at : at + 2]]
    by = end_of(draft.rng.randint(days[0], days[1] - 1))
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: AsOf(of=reading, at=by),
        space,
        options=options,
        moments=moments,
        slots={"day": day_in_words(by)},
    )


@pattern(_HISTORICAL, AnswerType.CATEGORICAL)
def previous(draft: Draft, channel: Channel) -> Plan:
    """The value before the last change, in two or three conversations."""
    options = channel.options(draft.rng)
    states = draft.rng.choice(((0, 1), (0, 1), (0, 0, 1), (0, 1, 1), (0, 1, 0), (0, 1, 2)))
    values, space = [options[state] for state in states], channel.space(options)
    return over_stages(
        draft, channel, values, lambda reading: Previous(of=reading), space, options=options
    )


# --- evolution and transition -----------------------------------------------------------------


@pattern(_EVOLUTION, AnswerType.ORDERED_LIST)
def sequence(draft: Draft, channel: Channel) -> Plan:
    """The values of two or three conversations in order."""
    options = channel.options(draft.rng)
    values = course(draft.rng, options, _few(draft) if len(options) > 2 else 3)
    space = channel.space(options, length=len(values))
    return over_stages(
        draft, channel, values, lambda reading: Sequence(of=reading), space, options=options
    )


@pattern(_EVOLUTION, AnswerType.ORDERED_LIST)
def fact_sequence(draft: Draft, channel: Channel) -> Plan:
    """In order, the facts that were stated with a value of the channel."""
    attribute, reading, slots = _facts(draft, channel)
    space = domain(attribute, length=len(draft.sessions))
    return draft.close(Sequence(of=reading), space, **slots)


@pattern(_EVOLUTION, AnswerType.NUMBER)
def changes(draft: Draft, channel: Channel) -> Plan:
    """How often the value changes from one of three or four conversations to the next."""
    options, count = channel.options(draft.rng), draft.rng.choice((3, 3, 3, 4))
    states = changing(draft, count, draft.rng.randint(1, count - 1))
    values, space = [options[state] for state in states], AnswerSpace(low=0, high=count - 1)
    return over_stages(
        draft, channel, values, lambda reading: Changes(of=reading), space, options=options
    )


@pattern(_EVOLUTION, AnswerType.YES_NO)
def recurs(draft: Draft, channel: Channel) -> Plan:
    """Whether in three conversations a value comes back after another one."""
    options = channel.options(draft.rng)
    values = [options[state] for state in returning(draft, 3, draft.coin())]
    return over_stages(
        draft, channel, values, lambda reading: Recurs(of=reading), YES_NO, options=options
    )


@pattern(_EVOLUTION, AnswerType.NUMBER)
def first_stage(draft: Draft, channel: Channel) -> Plan:
    """In which of two or three conversations a value appears."""
    values, value = _appearance(draft, channel, last=False)
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: FirstStage(of=reading, value=value),
        AnswerSpace(low=1, high=len(values)),
        slots=channel.slots[value],
    )


@pattern(_EVOLUTION, AnswerType.NUMBER)
def last_stage(draft: Draft, channel: Channel) -> Plan:
    """In which of two or three conversations a value is there for the last time."""
    values, value = _appearance(draft, channel, last=True)
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: LastStage(of=reading, value=value),
        AnswerSpace(low=1, high=len(values)),
        slots=channel.slots[value],
    )


def _appearance(draft: Draft, channel: Channel, *, last: bool) -> tuple[list[str], str]:
    """Values of two or three stages, not all alike, and one that first (or last) occurs at a stage
    as likely as any other; on the far side of it, it may occur again."""
    value, *others = channel.options(draft.rng)
    count = _few(draft)
    number = draft.rng.randint(1, count)
    while True:
        values = [
            value
            if stage == number or ((stage < number) == last and draft.coin())
            else draft.rng.choice(others)
            for stage in range(1, count + 1)
        ]
        if len(set(values)) > 1:
            return values, value
