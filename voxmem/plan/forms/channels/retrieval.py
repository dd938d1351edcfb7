"""Information extraction: from words to what was heard, and from what was heard to a fact
(VoxMem, Table 5)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, day_in_words, describe, told
from voxmem.plan.forms.channels import Channel, pattern
from voxmem.plan.forms.telling import domain, stated
from voxmem.query import About, Condition, Dated, Named, Only, ReadFact, Reading, States, Topic
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, Subtype

_CUE, _FACT = Subtype.CONTEXT_TO_CUE, Subtype.CUE_TO_FACT


@pattern(_CUE, AnswerType.CATEGORICAL)
def by_entity(draft: Draft, channel: Channel) -> Plan:
    """The value of the conversation about an entity."""
    entity, options = draft.entity(), channel.options(draft.rng)
    channel.place(draft, [entity], options[:1], draft.moments(1))
    return _value_of(draft, channel, (About(entity=entity),), options, entity=entity)


@pattern(_CUE, AnswerType.CATEGORICAL)
def by_date(draft: Draft, channel: Channel) -> Plan:
    """The value of the conversation of a day."""
    options, (when,) = channel.options(draft.rng), draft.moments(1)
    channel.place(draft, [draft.entity()], options[:1], [when])
    day = when.date()
    return _value_of(draft, channel, (Dated(day=day),), options, day=day_in_words(day))


@pattern(_CUE, AnswerType.CATEGORICAL)
def by_statement(draft: Draft, channel: Channel) -> Plan:
    """The value of the conversation in which something was told."""
    entity, attribute = draft.entity(), draft.attribute()
    options = channel.options(draft.rng)
    channel.place(draft, [entity], options[:1], draft.moments(1), attribute=attribute)
    where = stated(attribute, entity)
    return _value_of(draft, channel, where, options, told=told(attribute, entity))


def _value_of(
    draft: Draft,
    channel: Channel,
    where: tuple[Condition, ...],
    options: list[str],
    **slots: str,
) -> Plan:
    query = Only(of=channel.reading(Named(anchors=(where,))))
    return draft.close(query, channel.space(options), **channel.lists(options), **slots)


@pattern(_FACT, AnswerType.CATEGORICAL)
def fact_on_topic(draft: Draft, channel: Channel) -> Plan:
    """A fact of the one conversation on a topic that has a value."""
    return _fact_on_topic(draft, channel, draft.attribute())


@pattern(_FACT, AnswerType.FREE_TEXT)
def phrase_on_topic(draft: Draft, channel: Channel) -> Plan:
    """The same with a fact whose value is a free phrase."""
    return _fact_on_topic(draft, channel, draft.attribute("open"))


@pattern(_FACT, AnswerType.CATEGORICAL)
def fact_of_entity(draft: Draft, channel: Channel) -> Plan:
    """A fact of an entity that was stated more than once; what was heard tells which is meant."""
    return _fact_of_entity(draft, channel, draft.attribute())


@pattern(_FACT, AnswerType.FREE_TEXT)
def phrase_of_entity(draft: Draft, channel: Channel) -> Plan:
    """The same with a fact whose value is a free phrase."""
    return _fact_of_entity(draft, channel, draft.attribute("open"))


def _fact_on_topic(draft: Draft, channel: Channel, attribute: str) -> Plan:
    where = (Topic(topic=draft.topic), States(attribute=attribute))
    noun = describe(attribute).noun
    return _fact(draft, channel, draft.entity(), attribute, where, topic=draft.topic, noun=noun)


def _fact_of_entity(draft: Draft, channel: Channel, attribute: str) -> Plan:
    entity = draft.entity()
    where = stated(attribute, entity)
    return _fact(draft, channel, entity, attribute, where, told=told(attribute, entity))


def _fact(
    draft: Draft,
    channel: Channel,
    entity: str,
    attribute: str,
    where: tuple[Condition, ...],
    **slots: str,
) -> Plan:
    value = channel.value(draft.rng)
    channel.place(draft, [entity], [value], draft.moments(1), attribute=attribute)
    select = Named(anchors=((*where, channel.having(value)),))
    query = Only(of=Reading(select=select, read=ReadFact(attribute=attribute)))
    return draft.close(query, domain(attribute), **slots, **channel.slots[value])
