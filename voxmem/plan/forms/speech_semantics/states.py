"""Forms over the state of a thing after updates: the latest one and earlier ones (VoxMem, Table 7).

An update is dated by its session, or by the day that the speaker gives for it.
"""

from __future__ import annotations

from datetime import datetime

from voxmem.plan.draft import Draft, day_in_words, describe, listed, told
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import (
    FEW,
    NUMBERS,
    ORDINALS,
    YES_NO,
    all_of,
    between,
    choices,
    count_of,
    domain,
    end_of,
    update,
)
from voxmem.query import AsOf, Is, Latest, Nth, Previous
from voxmem.records import Plan
from voxmem.semantics.view import CANCELLED
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS


def _cancellable(draft: Draft) -> str:
    """An attribute none of whose values says itself that something is called off."""
    while (attribute := draft.attribute()) == "status":
        pass
    return attribute


# --- latest state -----------------------------------------------------------------------------


@form(
    _SEMANTICS,
    Subtype.LATEST_STATE,
    AnswerType.CATEGORICAL,
    "Going by my latest update, please tell me {told}.",
    "After everything that I have said about it, can you tell me {told} now?",
    "I would like to check {told}. Only what I told you last still holds.",
    "As things stand after my last word on it, what is the {noun} for {entity}?",
    bare=True,
    source=False,
)
def latest_value(draft: Draft) -> Plan:
    """The value in force after several updates."""
    entity, attribute, _ = update(draft, range(draft.rng.choice(FEW)))
    return draft.close(
        Latest(of=all_of(attribute, entity)),
        domain(attribute),
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.LATEST_STATE,
    AnswerType.FREE_TEXT,
    "Going by the last thing that I said on it, please tell me {told}.",
    "My plans have been changing. Can you tell me {told}, as of my latest update?",
    "Remind me {told}. Take only the newest of what I told you.",
    "By now, what is the {noun} for {entity}, if you go by my most recent word on it?",
    bare=True,
    source=False,
)
def latest_phrase(draft: Draft) -> Plan:
    """The latest of several updates in the speaker's own words."""
    entity, attribute, _ = update(draft, range(draft.rng.choice(FEW)), "open")
    return draft.close(
        Latest(of=all_of(attribute, entity)),
        domain(attribute),
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.LATEST_STATE,
    AnswerType.CATEGORICAL,
    "What became of the {noun} for {entity} in the end: {options}?",
    "By now, is the {noun} for {entity} {options}?",
    "After my last word on the {noun} for {entity}, which is it: {options}?",
    "As of my latest update, where do we stand on the {noun} for {entity}: {options}?",
    bare=True,
    source=False,
)
def latest_unless_cancelled(draft: Draft) -> Plan:
    """The value in force where one of the updates called it off: the last one, or not."""
    attribute, entity = _cancellable(draft), draft.entity()
    one, two, spare = draft.values(attribute, 3)
    count, off = draft.rng.choice(FEW), draft.coin()
    values = [one, two][: count - 1]
    cancelled = count - 1 if off else count - 2
    values.insert(cancelled, values[max(cancelled - 1, 0)] if cancelled else spare)
    for at, when in enumerate(draft.moments(count, in_order=True)):
        status = "cancelled" if at == cancelled else "stated"
        fact = draft.fact(entity, attribute, values[at], status=status)
        draft.evidence(entity, when, facts=[fact])
    values = sorted((one, two, spare), key=describe(attribute).domain.index)
    options = [*map(str, values), CANCELLED]
    return draft.close(
        Latest(of=all_of(attribute, entity)),
        choices(options),
        noun=describe(attribute).noun,
        entity=entity,
        options=listed(options, "or"),
    )


@form(
    _SEMANTICS,
    Subtype.LATEST_STATE,
    AnswerType.YES_NO,
    "Is it right that by now {value} is the {noun} for {entity}?",
    "Going by my latest update, is the {noun} for {entity} {value}?",
    "If you go by what I said last, does {value} hold as the {noun} for {entity}?",
    "I want to be sure: is {value} what I told you last as the {noun} for {entity}?",
    bare=True,
    source=False,
)
def latest_is(draft: Draft) -> Plan:
    """Whether a value is the one in force, and not the one before it."""
    entity, attribute, values = update(draft, range(2))
    value = values[draft.coin()]
    return draft.close(
        Is(of=Latest(of=all_of(attribute, entity)), value=value),
        YES_NO,
        noun=describe(attribute).noun,
        entity=entity,
        value=str(value),
    )


# --- historical state -------------------------------------------------------------------------


@form(
    _SEMANTICS,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "I told you {times} times {told}. What did I say the {nth} time?",
    "You heard from me {times} times {told}. Which was the {nth} of my answers?",
    "Over {times} conversations I told you {told}. What was it in the {nth} one?",
    "I gave you the {noun} for {entity} {times} times. What was the {nth} one?",
)
def nth_value(draft: Draft) -> Plan:
    """The value at an update that is not the last."""
    count = draft.rng.choice(FEW)
    entity, attribute, _ = update(draft, range(count))
    stage = draft.rng.randint(1, count - 1)
    return draft.close(
        Nth(of=count_of(attribute, entity, count), n=stage),
        domain(attribute),
        times=NUMBERS[count],
        nth=ORDINALS[stage],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "Going only by what I had said up to the evening of {day}, please tell me {told}.",
    "Suppose I had asked you late on {day}. What would you have named as the {noun} for {entity}?",
    "What did you know at the end of {day} about the {noun} for {entity}?",
    "Leave out what I said after {day}, and tell me {told}.",
    bare=True,
    source=False,
)
def value_as_of(draft: Draft) -> Plan:
    """The value that was in force on a day between two updates."""
    count = draft.rng.choice(FEW)
    entity, attribute, _ = update(draft, range(count))
    stage = draft.rng.randint(1, count - 1)
    at = between(draft, draft.sessions[stage - 1], draft.sessions[stage])
    return draft.close(
        AsOf(of=all_of(attribute, entity), at=at),
        domain(attribute),
        day=day_in_words(at),
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "Some of my changes only held from a later day on. What was the {noun} for {entity} on {day}?",
    "Going by the days on which my changes took effect, what was the {noun} for {entity} on {day}?",
    "Which {noun} was valid for {entity} on {day}? Mind that I announced some changes ahead.",
    "On {day}, what was the {noun} for {entity}, given when each of my changes took effect?",
    bare=True,
)
def in_force_on(draft: Draft) -> Plan:
    """The value in force on a day, where the speaker gave some of the updates ahead of time and
    said from which day on they hold.

    The second of three updates is always given ahead. Asked is for a day on which it was known and
    not yet in force; or on which it was, and a third one was known; or on which a third one held.
    """
    attribute, entity, moments = draft.attribute(), draft.entity(), draft.moments(3, in_order=True)
    _, second, third = (when.toordinal() for when in moments)
    last = draft.config.window[1].toordinal()
    start, later = draft.rng.randint(second + 1, third), draft.rng.randint(third + 1, third + 14)
    stage = draft.rng.randrange(3 if third < last else 2)
    spans = ((second, start - 1), (third, min(later - 1, last)), (third + 1, last))
    day, starts = draft.rng.randint(*spans[stage]), (None, start, later if stage == 1 else None)
    for value, when, ahead in zip(draft.values(attribute, 3), moments, starts, strict=True):
        effective = datetime.fromordinal(ahead) if ahead else None
        fact = draft.fact(entity, attribute, value, effective=effective)
        draft.evidence(entity, when, facts=[fact])
    at = end_of(day)
    return draft.close(
        AsOf(of=all_of(attribute, entity), at=at),
        domain(attribute),
        day=day_in_words(at),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.HISTORICAL_STATE,
    AnswerType.CATEGORICAL,
    "Before my latest change, what was the {noun} for {entity}?",
    "I have changed the {noun} for {entity}. What was it just before the last change?",
    "Which {noun} did I drop for {entity} when I changed it the last time?",
    "What was the {noun} for {entity} until I gave you the one that holds now?",
    bare=True,
)
def value_before(draft: Draft) -> Plan:
    """The value before the latest change."""
    entity, attribute, _ = update(draft, range(draft.rng.choice(FEW)))
    return draft.close(
        Previous(of=all_of(attribute, entity)),
        domain(attribute),
        noun=describe(attribute).noun,
        entity=entity,
    )
