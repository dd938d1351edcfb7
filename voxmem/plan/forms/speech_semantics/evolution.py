"""Forms over the whole course of a thing through its updates (VoxMem, Table 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe, told
from voxmem.plan.forms import form
from voxmem.plan.forms.telling import (
    FEW,
    MANY,
    NUMBERS,
    YES_NO,
    changing,
    choices,
    count_of,
    domain,
    returning,
    tell,
    update,
)
from voxmem.query import Changes, Direction, FirstStage, Recurs, Sequence
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SEMANTICS = EvidenceType.SPEECH_SEMANTICS


@form(
    _SEMANTICS,
    Subtype.EVOLUTION,
    AnswerType.ORDERED_LIST,
    "I told you {times} times {told}. What did I say, from first to last?",
    "Go through the {times} times that I told you {told}, and list in order what I said.",
    "Over {times} conversations I told you {told}. List my answers, the oldest first.",
    "I gave you the {noun} for {entity} {times} times. Name them in the order in which I did.",
)
def value_sequence(draft: Draft) -> Plan:
    """All values in the order in which they were given."""
    count = draft.rng.choice(FEW)
    entity, attribute, _ = update(draft, range(count))
    return draft.close(
        Sequence(of=count_of(attribute, entity, count)),
        domain(attribute, length=count),
        times=NUMBERS[count],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.EVOLUTION,
    AnswerType.NUMBER,
    "I told you {times} times {told}. How many times did it change from one to the next?",
    "You have {times} statements of mine on the {noun} for {entity}. How often did it change?",
    "Over {times} conversations I told you {told}. How many changes does that make?",
    "I gave you the {noun} for {entity} {times} times. How often was it another one than just "
    "before?",
)
def value_changes(draft: Draft) -> Plan:
    """How often a value differed from the one before it."""
    count = draft.rng.choice(MANY)
    changes = draft.rng.randint(1, count - 1)
    entity, attribute, _ = update(draft, changing(draft, count, changes))
    return draft.close(
        Changes(of=count_of(attribute, entity, count)),
        AnswerSpace(low=0, high=count - 1),
        times=NUMBERS[count],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.EVOLUTION,
    AnswerType.YES_NO,
    "I told you {times} times {told}. Did I ever go back to something that I had dropped?",
    "Over my {times} statements on the {noun} for {entity}, did an old one ever come back?",
    "I gave you the {noun} for {entity} {times} times. Did I return to an earlier one after a "
    "change?",
    "You heard from me {times} times {told}. Was one of my answers dropped and later taken up "
    "again?",
)
def value_returns(draft: Draft) -> Plan:
    """Whether a value came back after another one had replaced it."""
    count = draft.rng.choice(MANY)
    entity, attribute, _ = update(draft, returning(draft, count, draft.coin()))
    return draft.close(
        Recurs(of=count_of(attribute, entity, count)),
        YES_NO,
        times=NUMBERS[count],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.EVOLUTION,
    AnswerType.CATEGORICAL,
    "Over the {times} times that I gave it, did the {noun} for {entity} go up, down, or both?",
    "I told you {times} times {told}. Did the number only go up, only down, or both up and down?",
    "From each of my {times} statements on the {noun} for {entity} to the next, did it go up, "
    "down, or both?",
    "Go through the {times} times that I told you {told}. Did the number move up, down, or both?",
)
def value_direction(draft: Draft) -> Plan:
    """Which way a number went from one update to the next."""
    attribute, entity = draft.attribute("number"), draft.entity()
    low, middle, high = sorted(draft.values(attribute, 3), key=int)
    courses = ([low, middle, high], [high, middle, low])
    both = ([low, high, middle], [middle, high, low], [high, low, middle], [middle, low, high])
    course = draft.rng.choice((*courses, draft.rng.choice(both)))
    tell(draft, [entity] * 3, attribute, course, in_order=True)
    return draft.close(
        Direction(of=count_of(attribute, entity, 3)),
        choices(["up", "down", "both"]),
        times=NUMBERS[3],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
    )


@form(
    _SEMANTICS,
    Subtype.EVOLUTION,
    AnswerType.NUMBER,
    "I told you {times} times {told}. By number, on which of those did I first say {value}?",
    "Of the {times} times that I gave you the {noun} for {entity}, which was the first with "
    "{value}? Just say its number.",
    "Count my {times} statements on the {noun} for {entity} from the oldest. Which number is the "
    "first with {value}?",
    "I gave you the {noun} for {entity} {times} times. Number them as they came: at which number "
    "did I first say {value}?",
)
def first_stage(draft: Draft) -> Plan:
    """At which update a value first came."""
    count = draft.rng.choice(FEW)
    stage = draft.rng.randint(1, count)
    states = [1] * (stage - 1) + [0] + [2] * (count - stage)
    if stage == 1 and count == 3 and draft.coin():
        states = [0, 1, 0]
    if stage == 3:
        states = [1, 2, 0]
    entity, attribute, values = update(draft, states)
    value = values[0]
    return draft.close(
        FirstStage(of=count_of(attribute, entity, count), value=value),
        AnswerSpace(low=1, high=count),
        times=NUMBERS[count],
        told=told(attribute, entity),
        noun=describe(attribute).noun,
        entity=entity,
        value=str(value),
    )
