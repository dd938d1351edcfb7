"""Values in the wrong place: a reply that repeats what the user stated, or a user turn that states
a value beside its annotated facts (VoxMem, Appendix B.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from voxmem.dialogue.inflect import noun
from voxmem.dialogue.lexicon import Phrases, tokens
from voxmem.plan.catalog import catalog
from voxmem.records import Fact, Turn, Value

_UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_DIGITS = re.compile(r"\d+")
_LONG = 4
"""A word of an open phrase with so many letters is part of what was said, unless common."""
_COMMON = frozenset(
    """some with from that this your have into than them then what when which will would their
    does each more most much only over same such very keep good time work hand step test help save
    thank start back fine make less better avoid order final first second learn right left paid
    extra spend break beat free fill people note plan list number date record written settle copy
    pack meet some""".split()
)


def in_words(number: int) -> str:
    """A number below 1,000 as it is spoken: 120 is "one hundred and twenty"."""
    if number < 20:
        return _UNITS[number]
    if number < 100:
        tens, units = divmod(number, 10)
        return _TENS[tens - 2] + (f" {_UNITS[units]}" if units else "")
    hundreds, rest = divmod(number, 100)
    return f"{_UNITS[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")


def repeated(reply: list[str], stated: Iterable[Fact]) -> Iterator[str]:
    """The values in a tokenised reply that the user stated before."""
    padded = f" {' '.join(reply)} "
    for fact in stated:
        if fact.status == "cancelled":
            continue
        for phrase in _spoken(fact.attribute, fact.value):
            if f" {phrase} " in padded:
                yield phrase
                break


def stray(turn: Turn) -> Iterator[str]:
    """The values of the catalogue that a user turn speaks outside the spans of its facts."""
    rest = turn.text
    for start, end in sorted((fact.span for fact in turn.facts if fact.span), reverse=True):
        rest = f"{rest[:start]}|{rest[end:]}"
    yield from _DIGITS.findall(rest)
    for _, phrase in _catalogued().find(tokens(rest)):
        yield phrase


@lru_cache(maxsize=1 << 12)
def _spoken(attribute: str, value: Value) -> tuple[str, ...]:
    """Everything that counts as saying a value; of an open phrase, each of its words."""
    if isinstance(value, int):
        plain = in_words(value) if value < 1_000 else str(value)
        return (str(value), plain, plain.replace(" and ", " "))
    words = tokens(value)
    known = catalog().attributes.get(attribute)
    if known is not None and known.kind == "open":
        content = [word for word in words if len(word) >= _LONG and word not in _COMMON]
        if content:
            return tuple(form for word in content for form in sorted(noun(word)))
    *front, last = words
    return tuple(" ".join((*front, form)) for form in sorted(noun(last)))


@cache
def _catalogued() -> Phrases:
    return Phrases(
        (value, name)
        for name, attribute in catalog().attributes.items()
        for value in attribute.values
    )
