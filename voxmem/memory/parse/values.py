"""Which values a sentence holds, and of what: closed phrases, numbers with their units."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from voxmem.memory.parse.lexicon import holds, lexicon, place_of
from voxmem.memory.parse.sentences import DaySpan, Span, days, lasting, numbers
from voxmem.records import Value
from voxmem.semantics.view import Unknown

_LEAST = 0.8
_LEAST_SHORT, _SHORT = 0.86, 10
"""Of values with fewer letters."""
_DENIED = (
    ("not",), ("isnt",), ("wasnt",), ("no", "longer"), ("instead", "of"), ("rather", "than"),
    ("used", "to", "be"), ("anymore",), ("without",), ("never",), ("neither",), ("nor",),
)  # fmt: skip
"""Words before a value that say that it does not hold."""
_REACH = 4
"""Words between such a denial and the value, at most."""
_MINUTES = "minutes"
_BETWEEN = 2
"""Words between a number and its unit, at most."""


class Reading(NamedTuple):
    """A value of an attribute in a sentence."""

    attribute: str
    value: Value | Unknown
    start: int
    end: int
    cued: bool
    """Whether the sentence has another word that speaks of the attribute."""


@lru_cache(maxsize=1 << 15)
def readings(words: tuple[str, ...]) -> tuple[Reading, ...]:
    """The values that are stated, in order; those that are denied are left out.

    Args:
        words: Of one sentence, with ``"|"`` in place of what is taken already, as by a name.
    """
    dated = days(words)
    counted = _numbers(words, dated)
    rest = list(words)
    for one in counted:
        rest[one.start : one.end] = ["|"] * (one.end - one.start)
    found = [*_phrases(tuple(rest), dated), *counted]
    kept = [one for one in found if not _denied(words, one.start)]
    return tuple(sorted(kept, key=lambda one: one.start))


def _phrases(words: tuple[str, ...], dated: list[DaySpan]) -> list[Reading]:
    world = lexicon()
    found = []
    for one in world.values.find(words, _LEAST):
        attribute, value = world.value_of[one.phrase]
        if len(one.phrase) < _SHORT and one.score < _LEAST_SHORT:
            continue
        if any(one.end == day.start or one.start == day.end for day in dated):
            continue  # "Monday the third of June" is a date
        rest = (*words[: one.start], "|", *words[one.end :])
        cued = holds(rest, world.words_of(attribute))
        if cued or not world.cues[attribute].everyday:
            found.append(Reading(attribute, value, one.start, one.end, cued))
    return found


def _numbers(words: tuple[str, ...], dated: list[DaySpan]) -> list[Reading]:
    taken = [range(day.start, day.end) for day in dated]
    hours = lasting(words) if _MINUTES in lexicon().domains else []
    taken += [range(one.start, one.end) for one in hours]
    plain = [one for one in numbers(words) if not any(one.start in span for span in taken)]
    found = [_counted(words, one) for one in plain]
    found += [Reading(_MINUTES, _value(_MINUTES, it.value), it.start, it.end, True) for it in hours]
    return [one for one in found if one is not None]


def _counted(words: tuple[str, ...], number: Span) -> Reading | None:
    """A number with what it counts: a unit beside it, else what the sentence names."""
    world = lexicon()
    units = {unit: name for name in world.domains for unit in world.cues[name].units}
    around = [*range(number.end, number.end + 1 + _BETWEEN), number.start - 1]
    for at in around:
        if 0 <= at < len(words) and words[at] in units:
            attribute = units[words[at]]
            value = _value(attribute, number.value)
            return Reading(attribute, value, number.start, max(number.end, at + 1), True)
    named = [name for name in world.domains if holds(words, world.nouns(name))]
    if len(named) == 1 and number.value in world.domains[named[0]]:
        return Reading(named[0], number.value, number.start, number.end, True)
    return None


def _value(attribute: str, number: int) -> Value | Unknown:
    """A number that the attribute never is was misheard."""
    fits = number in lexicon().domains[attribute]
    return number if fits else Unknown("number", attribute)


def _denied(words: tuple[str, ...], start: int) -> bool:
    before = words[max(0, start - _REACH) : start]
    return any(
        (at := place_of(before, phrase)) >= 0 and "but" not in before[at:] for phrase in _DENIED
    )
