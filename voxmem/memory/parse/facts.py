"""The facts of a session: a value beside the thing that it is of, taken back or called off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from voxmem.memory.parse.entities import Named, Spoken, spoken_of
from voxmem.memory.parse.lexicon import Phrase, holds, lexicon, place_of
from voxmem.memory.parse.sentences import Sentence, days, nearest_day, numbers, sentences
from voxmem.memory.parse.values import Reading, readings
from voxmem.records import Value
from voxmem.semantics.view import CANCELLED, Unknown


class HeardFact(NamedTuple):
    """What somebody was understood to say of a thing."""

    entity: str
    attribute: str
    value: Value | Unknown
    """:data:`~voxmem.semantics.view.CANCELLED` if it was called off."""
    effective: datetime | None = None
    """The day from which on it holds, if one was named."""


@dataclass(frozen=True)
class Understood:
    """What the words of one session come to."""

    topic: str
    """Of the thing that is spoken of most; empty if there is none."""
    entities: frozenset[str]
    facts: tuple[tuple[HeardFact, ...], ...]
    """Turn by turn, in the order in which they were said."""


_TAKEN_BACK: tuple[Phrase, ...] = (
    ("actually",), ("make", "that"), ("make", "it"), ("meant",), ("mean",), ("correct",),
    ("correction",), ("scratch",), ("sorry",), ("wait",), ("rather",), ("instead",),
    ("changed", "to"), ("should", "be"), ("wrong",), ("mistake",), ("misspoke",),
)  # fmt: skip
"""Words of somebody who corrects what was just said."""
_START = "^"
_CALLED_OFF: tuple[Phrase, ...] = (
    ("cancelled",), ("canceled",), ("cancel",), ("canceling",), ("cancelling",), ("scrapped",),
    ("dropped",), ("dropping",), ("withdrawn",), ("withdrew",), ("void",), ("revoked",),
    ("scratch",), ("no", "longer"), ("not", "valid"), ("off", "the", "table"),
    ("gone",), ("is", "off"), ("are", "off"), ("taken", "back"), ("take", "back"), ("took", "back"),
    (_START, "forget"), ("please", "forget"), ("just", "forget"), ("can", "forget"),
)  # fmt: skip
"""Words that call something off; :data:`_START` is the start of a sentence."""
_STATUS = ("called", "off")
"""A status that a thing may have; of something *of* the thing, it calls that off."""
_OF_SOMETHING = (("of",), ("for",), ("about",), ("on",), ("that",), ("with",))
_FROM: tuple[Phrase, ...] = (
    ("from",), ("as", "of"), ("starting",), ("starts",), ("beginning",), ("effective",), ("since",),
    ("begins",), ("start",), ("onwards",), ("onward",), ("on",),
)  # fmt: skip
"""Words around a day from which on something holds."""
_NEAR_DAY = 3


def understand(turns: Sequence[str], when: datetime) -> Understood:
    """What a speaker's turns say.

    Args:
        turns: The words of the user turns of one session, in order, as recognised.
        when: The session's timestamp: a day without a year is the one nearest to it.
    """
    said = [sentences(text) for text in turns]
    spoken = spoken_of(said)
    facts = tuple(
        tuple(_facts(turn, named, spoken, when))
        for turn, named in zip(said, spoken.named, strict=True)
    )
    topic = lexicon().topic_of[spoken.main] if spoken.main else ""
    return Understood(topic, spoken.every, facts)


def _facts(
    turn: Sequence[Sentence], named: Sequence[Named], spoken: Spoken, when: datetime
) -> Iterator[HeardFact]:
    entity: str | None = None
    before: HeardFact | None = None
    for at, (sentence, it) in enumerate(zip(turn, named, strict=True)):
        coming = (later.entity for later in named[at:] if later.entity)
        entity = it.entity or entity or next(coming, spoken.main)
        if sentence.asks or entity is None:
            continue
        effective = _effective(it.rest, when)
        if before is not None and holds(it.rest, _TAKEN_BACK):
            effective = effective or before.effective
        for attribute, value in _stated(it, before):
            before = HeardFact(entity, attribute, value, effective)
            yield before


def _stated(it: Named, before: HeardFact | None) -> list[tuple[str, Value | Unknown]]:
    """Attributes and values of one sentence."""
    called_off = _cancelled(it.rest)
    if called_off is not None:
        return [(called_off, CANCELLED)]
    found: list[tuple[str, Value | Unknown]] = [
        (one.attribute, one.value)
        for one in _last_of_each(readings(it.rest))
        if it.entity is not None or one.cued or _follows(it.rest, one, before)
    ]
    return found or _recounted(it.rest, before)


def _recounted(
    words: tuple[str, ...], before: HeardFact | None
) -> list[tuple[str, Value | Unknown]]:
    """A number that takes back the one before: "no, make that forty"."""
    domain = lexicon().domains.get(before.attribute) if before else None
    counted = numbers(words)
    if before is None or domain is None or len(counted) != 1 or not holds(words, _TAKEN_BACK):
        return []
    return [(before.attribute, counted[0].value)] if counted[0].value in domain else []


def _follows(words: tuple[str, ...], one: Reading, before: HeardFact | None) -> bool:
    """Whether a value without its thing goes on with what was said just before."""
    return holds(words, _TAKEN_BACK) or (before is not None and before.attribute == one.attribute)


def _last_of_each(found: Sequence[Reading]) -> list[Reading]:
    """Of several values of one attribute in a sentence, the one that it comes to."""
    return list({one.attribute: one for one in found}.values())


def _cancelled(words: tuple[str, ...]) -> str | None:
    """The attribute that a sentence calls off."""
    plainly = holds((_START, *words), _CALLED_OFF)
    if not plainly and place_of(words, _STATUS) < 0:
        return None
    world = lexicon()
    named = [
        (len(noun), -place, attribute)
        for attribute in world.cues
        for noun in world.nouns(attribute)
        if (place := place_of(words, noun)) >= 0
        and (plainly or words[place + len(noun) :][:1] in _OF_SOMETHING)
    ]
    attribute = max(named)[2] if named else None
    stated = [one for one in readings(words) if one.value != " ".join(_STATUS)]
    if any(isinstance(one.value, str | int) for one in stated):
        return None
    return attribute if plainly or attribute != world.value_of[" ".join(_STATUS)][0] else None


def _effective(words: tuple[str, ...], when: datetime) -> datetime | None:
    for day in days(words):
        around = (
            *words[max(0, day.start - _NEAR_DAY) : day.start],
            "|",
            *words[day.end : day.end + 2],
        )
        if holds(around, _FROM):
            return nearest_day(day.month, day.day, when)
    return None
