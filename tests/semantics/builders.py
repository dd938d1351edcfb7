"""Short ways to write histories and readings by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from voxmem import query as q
from voxmem.records import Cue, Fact, Session, Turn, Value
from voxmem.semantics import Episode, observe
from voxmem.vocabulary import DELIVERIES

FIRST = datetime(2024, 3, 1, 12)
ME, ANN, BEN = "p01", "p02", "p03"
"""The asker, and two others."""


def day(number: float) -> datetime:
    """Noon of a day, counted from the first."""
    return FIRST + timedelta(days=number)


def fact(
    attribute: str,
    value: Value,
    entity: str = "lamp",
    *,
    referent: str = "",
    effective: datetime | None = None,
    status: Literal["stated", "corrected", "cancelled"] = "stated",
) -> Fact:
    return Fact(
        entity=entity,
        referent=referent or f"{entity}#1",
        attribute=attribute,
        value=value,
        effective=effective,
        status=status,
    )


def turn(
    *facts: Fact, by: str | None = ME, cue: str | None = None, sound: str | None = None
) -> Turn:
    cues = (Cue(dimension=DELIVERIES[cue], value=cue),) if cue else ()
    return Turn(role="user", text="", speaker=by, facts=facts, cues=cues, sound=sound)


def episode(
    session_id: str, when: float, *turns: Turn, topic: str = "home", about: tuple[str, ...] = ()
) -> Episode:
    """A session on a day, fully observed."""
    made = Session(session_id=session_id, topic=topic, entities=about, turns=turns or (turn(),))
    return observe(made, day(when))


def spoken(
    session_id: str,
    when: float,
    *facts: Fact,
    by: str | None = ME,
    cue: str | None = None,
    sound: str | None = None,
    topic: str = "home",
    about: tuple[str, ...] = (),
) -> Episode:
    """A session of one user turn."""
    return episode(
        session_id, when, turn(*facts, by=by, cue=cue, sound=sound), topic=topic, about=about
    )


def colours(*values: Value, entity: str = "lamp") -> list[Episode]:
    """One session a day that states the colour of one thing."""
    return [
        spoken(f"s{at}", at, fact("colour", value, entity))
        for at, value in enumerate(values, start=1)
    ]


def numbers(*values: int) -> list[Episode]:
    """One session a day that states the price of things a, b, c, …"""
    return [
        spoken(f"s{at}", at, fact("price", value, "abcdefgh"[at - 1]))
        for at, value in enumerate(values, start=1)
    ]


def voices(*speakers: str) -> list[Episode]:
    """One session a day about the lamp, by each speaker in turn."""
    return [
        spoken(f"s{at}", at, by=speaker, about=("lamp",))
        for at, speaker in enumerate(speakers, start=1)
    ]


def moved(episode: Episode, moment: datetime) -> Episode:
    """The same session at another time, with everything that it states."""
    turns = tuple(
        replace(turn, statements=tuple(replace(s, effective=moment) for s in turn.statements))
        for turn in episode.utterances
    )
    return replace(episode, timestamp=moment, utterances=turns)


LAMP = q.About(entity="lamp")
HOME = q.Topic(topic="home")
MINE = q.SpokenBy()
SAD = q.Delivered(dimension="vocal_state", value="sad")
RAIN = q.Heard(value="rain")
COLOUR, PRICE = q.ReadFact(attribute="colour"), q.ReadFact(attribute="price")
MOOD, RATE = q.ReadCue(dimension="vocal_state"), q.ReadCue(dimension="rate")
SOUND, SPEAKER, DATE = q.ReadSound(), q.ReadSpeaker(), q.ReadDate()


def every(*where: q.Condition) -> q.Open:
    return q.Open(where=where)


def declared(count: int, *where: q.Condition) -> q.Declared:
    return q.Declared(where=where, count=count)


def named(*anchors: q.Condition | tuple[q.Condition, ...]) -> q.Named:
    """One member an anchor."""
    return q.Named(
        anchors=tuple(anchor if isinstance(anchor, tuple) else (anchor,) for anchor in anchors)
    )


def reading(select: q.Selection, read: q.Read) -> q.Reading:
    return q.Reading(select=select, read=read)


def about(*entities: str) -> q.Named:
    return named(*(q.About(entity=entity) for entity in entities))
