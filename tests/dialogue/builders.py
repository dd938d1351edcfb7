"""Dialogues to test with: planned sessions over the whole catalogue, and their words."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from random import Random

from voxmem.dialogue.writer import write_session
from voxmem.plan.catalog import catalog
from voxmem.records import Cue, Fact, PlannedSession, Session
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS


def fact(entity: str, attribute: str, value: str | int, **more: object) -> Fact:
    """A fact, stated unless ``more`` says otherwise."""
    return Fact.model_validate(
        {"entity": entity, "referent": entity, "attribute": attribute, "value": value, **more}
    )


def session_plan(number: int, turns: tuple[int, int] = (1, 7)) -> PlannedSession:
    """One planned session; which facts, in which way, follows from its number."""
    draw = Random(number)
    topic = draw.choice(sorted(catalog().topics))
    entity = draw.choice(catalog().topics[topic])
    count = draw.randint(*turns)
    cue = draw.choice([None, *sorted(DELIVERIES)])
    return PlannedSession(
        session_id=f"s{number:05d}",
        topic=topic,
        speaker=draw.choice(PERSONAS),
        role="evidence",
        facts=_facts(entity, number, draw),
        entities=(entity,),
        cue=Cue(dimension=DELIVERIES[cue], value=cue) if cue else None,
        sound=draw.choice([None, *sorted(SOUNDS)]),
        turns=count,
        key_turn=draw.randrange(count),
    )


def _facts(entity: str, number: int, draw: Random) -> tuple[Fact, ...]:
    names = sorted(catalog().attributes)
    name = names[number % len(names)]
    one, two = draw.sample(catalog().attributes[name].domain, 2)
    since = datetime(2025, 3, 1) + timedelta(days=draw.randrange(180))
    other = names[(number + 1) % len(names)]
    ways: list[tuple[Fact, ...]] = [
        *[(fact(entity, name, one),)] * 6,
        (fact(entity, name, one, effective=since),),
        (fact(entity, name, one), fact(entity, name, two, status="corrected")),
        (fact(entity, name, one, status="cancelled"),),
        (fact(entity, name, one, status="cancelled", effective=since),),
        (fact(entity, name, one), fact(entity, other, catalog().attributes[other].domain[0])),
        (),
    ]
    return draw.choice(ways)


@cache
def planned_sessions() -> tuple[PlannedSession, ...]:
    """Six hundred planned sessions."""
    return tuple(session_plan(number) for number in range(600))


@cache
def dialogue(planned: PlannedSession, *, roomy: bool = True) -> Session:
    """The dialogue of a planned session."""
    return write_session(planned, roomy=roomy)


def expand(text: str, slots: dict[str, tuple[str, ...]]) -> list[str]:
    """A template with its slots filled in every way; slots without a list stay."""
    start = text.find("{")
    while start >= 0:
        end = text.index("}", start)
        name = text[start + 1 : end]
        if name in slots:
            fillings = (f"{text[:start]}{wording}{text[end + 1 :]}" for wording in slots[name])
            return [each for filled in fillings for each in expand(filled, slots)]
        start = text.find("{", end)
    return [text]
