"""Multi-session reasoning: how many conversations, which are alike, what prevails. The order of
the conversations never matters (VoxMem, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.plan.draft import Draft, listed
from voxmem.plan.forms.channels import Channel, pattern
from voxmem.plan.forms.channels.stages import over_stages
from voxmem.plan.forms.telling import COUNT, YES_NO, choices, each, grouped, some
from voxmem.query import (
    About,
    Alike,
    Condition,
    Count,
    CountDistinct,
    Dominant,
    Majority,
    Merge,
    Named,
    OddOneOut,
    Open,
    Same,
    Topic,
    WhichOf,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, Subtype

_COUNTING, _MATCHING, _AGGREGATION = Subtype.COUNTING, Subtype.MATCHING, Subtype.AGGREGATION


def _named(
    draft: Draft, channel: Channel, entities: Sequence[str], values: Sequence[str | None]
) -> Named:
    """A conversation about each entity with its value, and what selects them."""
    channel.place(draft, entities, values, draft.moments(len(entities)))
    return each(entities)


def _in_any_order(draft: Draft, entities: Sequence[str]) -> dict[str, str]:
    """The slots of a wording that lists things: "a, b or c" and "a, b and c"."""
    mixed = draft.rng.sample(entities, len(entities))
    return {"things": listed(mixed, "or"), "all_things": listed(mixed, "and")}


# --- counting ---------------------------------------------------------------------------------


@pattern(_COUNTING, AnswerType.NUMBER, source=False)
def count_about(draft: Draft, channel: Channel) -> Plan:
    """How many conversations about an entity have a value."""
    entity, count = draft.entity(), _several(draft)
    return _count(draft, channel, [entity] * count, About(entity=entity), entity=entity)


@pattern(_COUNTING, AnswerType.NUMBER, source=False)
def count_on_topic(draft: Draft, channel: Channel) -> Plan:
    """How many conversations on a topic have a value."""
    entities = draft.entities(_several(draft))
    return _count(draft, channel, entities, Topic(topic=draft.topic), topic=draft.topic)


def _several(draft: Draft) -> int:
    return draft.rng.choices((2, 3, 4), weights=(5, 4, 3))[0]


def _count(
    draft: Draft, channel: Channel, entities: list[str], where: Condition, **slots: str
) -> Plan:
    value = channel.value(draft.rng)
    channel.place(draft, entities, [value] * len(entities), draft.moments(len(entities)))
    query = Count(of=Open(where=(where, channel.having(value))))
    return draft.close(query, COUNT, **slots, **channel.slots[value])


@pattern(_COUNTING, AnswerType.NUMBER)
def distinct(draft: Draft, channel: Channel) -> Plan:
    """How many different values two or three named conversations have."""
    entities, options = draft.entities(draft.rng.choice((2, 2, 3))), channel.options(draft.rng)
    groups = draft.rng.randint(1, len(entities))
    values = [options[group] for group in grouped(draft, len(entities), groups)]
    select = _named(draft, channel, entities, values)
    return draft.close(
        CountDistinct(of=channel.reading(select)),
        AnswerSpace(low=1, high=len(entities)),
        **_in_any_order(draft, entities),
        **channel.lists(options),
    )


# --- matching ---------------------------------------------------------------------------------


@pattern(_MATCHING, AnswerType.YES_NO)
def same(draft: Draft, channel: Channel) -> Plan:
    """Whether two conversations have one value."""
    entities, options = draft.entities(2), channel.options(draft.rng)
    values = [options[0], options[0] if draft.coin() else options[1]]
    select = _named(draft, channel, entities, values)
    one, two = draft.rng.sample(entities, 2)
    query, lists = Same(of=channel.reading(select)), channel.lists(options)
    return draft.close(query, YES_NO, one=one, two=two, **lists)


@pattern(_MATCHING, AnswerType.UNORDERED_SET)
def alike(draft: Draft, channel: Channel) -> Plan:
    """Which of two or three conversations have the value of another one."""
    entities, reference = draft.entities(draft.rng.choice((2, 2, 2, 3))), draft.entity()
    value, *others = channel.options(draft.rng)
    matching = some(draft, entities, whole=True)
    values = [value if entity in matching else draft.rng.choice(others) for entity in entities]
    select = _named(draft, channel, [*entities, reference], [*values, value])
    query = Alike(
        labels=tuple(entities),
        of=channel.reading(Named(anchors=select.anchors[:-1])),
        reference=select.anchors[-1],
    )
    things = _in_any_order(draft, entities)
    return draft.close(query, choices(entities), reference=reference, **things)


@pattern(_MATCHING, AnswerType.CATEGORICAL)
def odd_one_out(draft: Draft, channel: Channel) -> Plan:
    """Which of three conversations has not the value of the other two."""
    entities, options = draft.entities(3), channel.options(draft.rng)
    common, other = options[:2]
    select = _named(draft, channel, entities, [common, common, other])
    query = OddOneOut(labels=tuple(entities), of=channel.reading(select))
    things, lists = _in_any_order(draft, entities), channel.lists(options)
    return draft.close(query, choices(entities), **things, **lists)


# --- aggregation ------------------------------------------------------------------------------


@pattern(_AGGREGATION, AnswerType.CATEGORICAL)
def dominant(draft: Draft, channel: Channel) -> Plan:
    """The value that most of the conversations about an entity have: two of three, or two of four
    where the others differ."""
    options = channel.options(draft.rng)
    rest = options[1:3] if draft.rng.random() < 0.2 else options[1:2]
    return _prevailing(draft, channel, [options[0], options[0], *rest], options)


@pattern(_AGGREGATION, AnswerType.CATEGORICAL)
def more_often(draft: Draft, channel: Channel) -> Plan:
    """Which of two values three conversations about an entity have more often."""
    options = channel.options(draft.rng)[:2]
    return _prevailing(draft, channel, [options[0], *options], options)


def _prevailing(draft: Draft, channel: Channel, values: list[str], options: list[str]) -> Plan:
    draft.rng.shuffle(values)
    space = channel.space(options)
    return over_stages(
        draft, channel, values, lambda reading: Dominant(of=reading), space, options=options
    )


@pattern(_AGGREGATION, AnswerType.YES_NO)
def majority(draft: Draft, channel: Channel) -> Plan:
    """Whether most of three conversations have a value."""
    value, one, two = channel.options(draft.rng)[:3]
    values = [value, value if draft.coin() else draft.rng.choice((one, two)), one]
    draft.rng.shuffle(values)
    return over_stages(
        draft,
        channel,
        values,
        lambda reading: Majority(of=reading, value=value),
        YES_NO,
        slots=channel.slots[value],
    )


@pattern(_AGGREGATION, AnswerType.UNORDERED_SET)
def which(draft: Draft, channel: Channel) -> Plan:
    """Which of three conversations have a value: one or two of them. The others have another one,
    or none where the channel has no other."""
    entities, value = draft.entities(3), channel.value(draft.rng)
    having, others = some(draft, entities), channel.others(value) or [None]
    values = [value if entity in having else draft.rng.choice(others) for entity in entities]
    select = _named(draft, channel, entities, values)
    query = WhichOf(labels=tuple(entities), select=select, having=(channel.having(value),))
    things = _in_any_order(draft, entities)
    return draft.close(query, choices(entities), **things, **channel.slots[value])


@pattern(_AGGREGATION, AnswerType.UNORDERED_SET)
def merged(draft: Draft, channel: Channel) -> Plan:
    """All values that the conversations about an entity have."""
    options, count = channel.options(draft.rng), draft.rng.choice((2, 3))
    groups = draft.rng.randint(1, count)
    values, space = [options[at] for at in grouped(draft, count, groups)], channel.space(options)
    return over_stages(
        draft, channel, values, lambda reading: Merge(of=reading), space, options=options
    )
