"""A turn as sentences of plain words, and the numbers and days in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from voxmem.quality.hearing.words import normal_words, number_words, ordinal_words

_END = re.compile(r"(?<=[.?!;])\s+")
_WONDERING = frozenset("what which who whom whose where when why how".split())
_ASKING = frozenset("is are do does did can could would should will shall".split())
_ASKED = frozenset("i you we they he she it".split())
_BEGINNING = 7
_MONTHS = (
    "january february march april may june july august september october november december".split()
)


@dataclass(frozen=True)
class Sentence:
    """Words in lower case, numbers spelt out."""

    words: tuple[str, ...]
    asks: bool
    """Whether it is a question: nothing is stated in it."""


class Span(NamedTuple):
    """What words [start, end) come to."""

    value: int
    start: int
    end: int


class DaySpan(NamedTuple):
    """A day of the year that words [start, end) name."""

    month: int
    day: int
    start: int
    end: int


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a turn, as its punctuation has them."""
    pieces = [piece for piece in _END.split(text.replace("€", " euros ").strip()) if piece]
    read = [tuple(normal_words(piece)) for piece in pieces]
    return tuple(Sentence(words, _asks(words)) for words in read if words)


def _asks(words: tuple[str, ...]) -> bool:
    """By its order of words: a recogniser puts a question mark wherever a voice rises."""
    if words[0] in _ASKING or (words[0] in _WONDERING and words[1:2] and words[1] in _ASKING):
        return "is" not in words[2:] or words[0] in _ASKING
    return any(one in _ASKING and other in _ASKED for one, other in pairwise(words[:_BEGINNING]))


def numbers(words: Sequence[str]) -> list[Span]:
    """Cardinals from 0 to 999 in words, each as long as it goes."""
    found: list[Span] = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + 4), at, -1):
            value = _cardinals().get(tuple(words[at:end]))
            if value is not None:
                found.append(Span(value, at, end))
                at = end
                break
        else:
            at += 1
    return found


def days(words: Sequence[str]) -> list[DaySpan]:
    """Days of the year: "the third of June", "third June", "June third", "June three"."""
    found = []
    for at, word in enumerate(words):
        if word not in _MONTHS:
            continue
        month = _MONTHS.index(word) + 1
        for start, end, span in (
            (at - 3, at + 1, words[max(at - 3, 0) : at - 1]),
            (at - 2, at + 1, words[max(at - 2, 0) : at - 1]),
            (at - 2, at + 1, words[max(at - 2, 0) : at]),
            (at - 1, at + 1, words[max(at - 1, 0) : at]),
            (at, at + 3, words[at + 1 : at + 3]),
            (at, at + 2, words[at + 1 : at + 2]),
        ):
            day = _ordinals().get(tuple(span))
            skipped = start < at and len(span) < at - start
            if day and start >= 0 and (not skipped or words[at - 1] == "of"):
                found.append(DaySpan(month, day, start, end))
                break
    return found


def nearest_day(month: int, day: int, to: datetime) -> datetime | None:
    """That day, at midnight, in the year in which it is nearest; ``None`` if there is none."""
    made = []
    for year in (to.year - 1, to.year, to.year + 1):
        try:
            made.append(datetime(year, month, day))
        except ValueError:
            continue
    return min(made, key=lambda it: abs((it - to).total_seconds()), default=None)


def lasting(words: Sequence[str]) -> list[Span]:
    """Hours and half hours, in minutes: "half an hour", "an hour and a half", "two hours"."""
    found = []
    for at, word in enumerate(words):
        if word not in ("hour", "hours"):
            continue
        before, after = tuple(words[max(0, at - 2) : at]), tuple(words[at + 1 : at + 3])
        half = 30 * (after == ("a", "half"))
        count = next((it for it in numbers(words[:at]) if it.end == at), None)
        if before in (("half", "an"), ("half", "a")) or before[-1:] == ("half",):
            found.append(Span(30, max(0, at - 2), at + 1))
        elif count is not None:
            found.append(Span(60 * count.value + half, count.start, at + 1))
        elif before[-1:] == ("an",):
            found.append(Span(60 + half, at - 1, at + 1))
    return found


@cache
def _cardinals() -> dict[tuple[str, ...], int]:
    written = {tuple(number_words(number)): number for number in range(1000)}
    return written | {("a", "dozen"): 12, ("half", "a", "dozen"): 6, ("a", "couple", "of"): 2}


@cache
def _ordinals() -> dict[tuple[str, ...], int]:
    every = range(1, 32)
    plain = {tuple(number_words(day)): day for day in every}
    return plain | {tuple(ordinal_words(day)): day for day in every}
