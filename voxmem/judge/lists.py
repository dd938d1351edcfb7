"""Ordered lists and unordered sets: the elements a reply names, and nothing beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxmem.judge.mentions import Mention, Run, as_numbers, mentions, parse, stray
from voxmem.judge.normalise import ordinal, tokens

_SYMBOLS = re.compile(r"->|=>|[→>+&|/\n]")
_JOINTS = frozenset("then and to next finally lastly afterwards or".split())
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
    parsed = parse(_SYMBOLS.sub(" , ", text))
    if _numeric(gold):
        parsed = as_numbers(parsed)
    every = mentions(parsed, names)
    found = [mention for mention in every if not mention.denied]
    if any("or" in parsed.runs[mention.clause] for mention in found):
        return found, "offers an alternative"
    for number, run in enumerate(parsed.runs):
        spans = [(at.start, at.end) for at in every if at.clause == number]
        if any(stray(piece) for piece in _unexplained(run, spans)):
            return found, "names something else as well"
    return found, ""


def _unexplained(run: Run, spans: Sequence[tuple[int, int]]) -> list[Run]:
    """The pieces of a clause, cut at its joints, in which no element is named."""
    inside = {index for start, end in spans for index in range(start, end)}
    cuts = [at for at, word in enumerate(run) if word in _JOINTS and at not in inside]
    pieces = zip([-1, *cuts], [*cuts, len(run)], strict=True)
    return [
        run[start + 1 : end]
        for start, end in pieces
        if inside.isdisjoint(range(start + 1, end)) and start + 1 < end
    ]


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
