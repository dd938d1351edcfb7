"""Numbers by value: the one number that a reply commits to."""

from __future__ import annotations

import re

from voxmem.judge.mentions import Parsed, Run, denied, parse
from voxmem.judge.normalise import number as value_of
from voxmem.judge.normalise import ordinal

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NEGATIVE = re.compile(r"(?:(?<=\s)|\A)[-−](?=\d)|\bminus (?=\d+\s*$)")
_EQUATION = re.compile(r"=|\b(?:equals|makes|comes to|adds up to|in total|altogether)\b")
_RESULT = re.compile(r"\b(?:total|sum|difference)\b[^.;\n]*?\b(?:is|was|of|are)\b|\btotal\s*:")
_LABELS = frozenset("session stage turn day step number part line room clip recording".split())
_ROUGHLY = frozenset(
    "about around roughly approximately approx nearly almost over under circa above below".split()
)
_BOUNDS = frozenset({("at", "least"), ("at", "most"), ("more", "than"), ("less", "than"),
                     ("fewer", "than"), ("up", "to")})  # fmt: skip
_ZERO = frozenset("none no zero nothing never nobody".split())
_MONTHS = frozenset(
    """january february march april may june july august september october november
    december""".split()
)


def number(parsed: Parsed, text: str, gold: float) -> str:
    """The name of what is wrong, or nothing if the reply says the number ``gold``."""
    for part in _parts(text):
        runs = parse(part).runs
        values = {value for run in runs for value in _values(run)}
        if not values:
            continue
        if any(_inexact(run) for run in runs):
            return "gives a bound or an estimate"
        if len(values) > 1:
            return "gives several numbers"
        value = -values.pop() if _NEGATIVE.search(part) else values.pop()
        return "" if abs(value - gold) < 1e-9 else "gives another number"
    places = {place for run in parsed.runs for token in run if (place := ordinal(token))}
    places = places or {
        int(token)
        for run in parsed.runs
        for index, token in enumerate(run)
        if token.isdecimal() and len(token) < 9 and not denied(run, index)
    }
    if places:
        return "" if places == {gold} else "gives another number"
    if gold == 0 and any(
        _ZERO.intersection(run) and run not in (("no",), ("never",)) for run in parsed.runs
    ):
        return ""
    return "gives no number"


def _parts(text: str) -> list[str]:
    """Where to look first: behind an equation or a result, without brackets, all of it."""
    bare = _BRACKETED.sub(" ", text)
    marks = [*_EQUATION.finditer(bare), *_RESULT.finditer(bare)]
    tail = [bare[max(mark.end() for mark in marks) :]] if marks else []
    return [*tail, bare, text]


def _values(run: Run) -> list[float]:
    """The numbers of a clause that count something: not dates, labels, "of five" or denied."""
    out = []
    for index, token in enumerate(run):
        value = value_of(token)
        if value is None or denied(run, index):
            continue
        before = run[max(0, index - 2) : index]
        after = run[index + 1 : index + 2]
        if (after and after[0] in _MONTHS) or (before and before[-1] in _MONTHS):
            continue
        if before and before[-1] in _LABELS:
            continue
        if before[-1:] == ("of",) and index > 1 and _counts(run[: index - 1]):
            continue  # "three of the five"
        out.append(value)
    return out


def _counts(run: Run) -> bool:
    return any(value_of(token) is not None for token in run[-2:])


def _inexact(run: Run) -> bool:
    for index, token in enumerate(run):
        if value_of(token) is None:
            continue
        before = run[max(0, index - 2) : index]
        if before[-1:] and (before[-1] in _ROUGHLY or before in _BOUNDS):
            return True
    return False
