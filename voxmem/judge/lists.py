"""Ordered lists and unordered sets: the elements a reply names, and nothing beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxmem.judge.mentions import Mention, as_numbers, mentions, parse, stray
from voxmem.judge.normalise import ordinal, tokens

_SEPARATOR = re.compile(
    r"\s*(?:,|;|\n|/|\||->|=>|→|>|\+|&|\s-\s|\bthen\b|\band\b|\bfollowed by\b|\bfinally\b|\bnext\b"
    r"|\blastly\b|\bafterwards\b|\bafter that\b|\bto\b)\s*"
)
_NUMBERED = re.compile(r"(?:(?<=\s)|\A)\(?(\d{1,2})[.)]\s+")
_REORDERS = frozenset("before after preceded previously earlier following reverse".split())
_EMPTY = frozenset("none nothing nobody".split())


def ordered_list(text: str, gold: Sequence[str], options: Sequence[str]) -> str:
    """The name of what is wrong, or nothing if ``text`` lists ``gold`` in its order.

    "B after A" is not followed: a list that is not in the order of its words is incorrect.
    """
    text = text.replace("after that", "then").replace("followed by", "then")
    unnumbered = _without_numbering(text)
    if unnumbered is None:
        return "is not numbered in order"
    found, wrong = _found(unnumbered, gold, options)
    if wrong:
        return wrong
    if _REORDERS.intersection(tokens(unnumbered)) or not _places_ascend(unnumbered, gold):
        return "tells the order in another way than by listing"
    named = [mention.answer for mention in found]
    if named == list(gold):
        return ""
    return "has another order" if sorted(named) == sorted(gold) else "has other elements"


def unordered_set(text: str, gold: Sequence[str], options: Sequence[str]) -> str:
    """The name of what is wrong, or nothing if ``text`` names all of ``gold`` and nothing more."""
    unnumbered = _without_numbering(text)
    found, wrong = _found(text if unnumbered is None else unnumbered, gold, options)
    if not gold:
        return "" if _EMPTY.intersection(tokens(text)) and not found else "is not empty"
    if wrong:
        return wrong
    named = {mention.answer for mention in found}
    if named == set(gold):
        return ""
    if set(gold) - named:
        return "misses an element"
    return "has an element too many"


def _found(text: str, gold: Sequence[str], options: Sequence[str]) -> tuple[list[Mention], str]:
    """The elements named, in order, and what else is wrong with the list."""
    known = {tokens(element) for element in gold}
    names = [*gold, *(option for option in options if tokens(option) not in known)]
    parsed = parse(text)
    if _numeric(gold):
        parsed = as_numbers(parsed)
    found = [mention for mention in mentions(parsed, names) if not mention.denied]
    if any("or" in parsed.runs[mention.clause] for mention in found):
        return found, "offers an alternative"
    for segment in _SEPARATOR.split(text):
        inner = parse(segment)
        inner = as_numbers(inner) if _numeric(gold) else inner
        if not mentions(inner, names) and any(stray(run) for run in inner.runs):
            return found, "names something else as well"
    return found, ""


def _numeric(gold: Sequence[str]) -> bool:
    return bool(gold) and all(element.strip().isdecimal() for element in gold)


def _without_numbering(text: str) -> str | None:
    """The text without "1." or "2)" before its elements; ``None`` if they do not count up."""
    marks = [int(mark[1]) for mark in _NUMBERED.finditer(text)]
    if len(marks) < 2 or sorted(marks) != list(range(1, len(marks) + 1)):
        return text
    return _NUMBERED.sub(" , ", text) if marks == sorted(marks) else None


def _places_ascend(text: str, gold: Sequence[str]) -> bool:
    """Whether "first", "second" … come in their own order, unless they are the elements."""
    places = [place for token in tokens(text) if (place := ordinal(token))]
    return _numeric(gold) or places == sorted(places)
