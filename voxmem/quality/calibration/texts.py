"""What calibration clips say: facts of the catalogue, worded like the turns of a build.

Thresholds are set on the sentences of one half and tested on those of the other: the halves share
neither an entity, nor a wording, nor what surrounds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

from voxmem import keys
from voxmem.plan.catalog import catalog

Half = Literal["set", "test"]
HALVES: tuple[Half, Half] = ("set", "test")

T = TypeVar("T")

_OPENERS = ("Hello.", "One more thing.", "Before I forget,", "By the way,", "Good to know.")
_CLOSERS = (
    "Please keep that in mind.",
    "That is all on this point.",
    "I may come back to it.",
    "Just for the record.",
    "Please add that to your notes.",
)
_SURROUNDED = 0.4
"""Share of sentences with another one before or after: most turns of a build have one."""


class Sentence(NamedTuple):
    """A turn that states one fact."""

    text: str
    span: tuple[int, int]
    """Characters [start, end) of the fact's value."""


def sentence(half: Half, number: int) -> Sentence:
    """The ``number``-th sentence of a half; attributes take turns, the rest is drawn."""
    content = catalog()
    rng = keys.rng("calibration sentence", half, number)
    names = list(content.attributes)
    attribute = content.attributes[names[number % len(names)]]
    topic = rng.choice(list(content.topics))
    entity = rng.choice(_of(half, content.topics[topic]))
    value = str(rng.choice(attribute.domain))
    said = rng.choice(_of(half, attribute.say))
    before = f"{rng.choice(_of(half, _OPENERS))} " if rng.random() < _SURROUNDED else ""
    after = f" {rng.choice(_of(half, _CLOSERS))}" if rng.random() < _SURROUNDED else ""
    start = len(before) + said.replace("{entity}", entity).index("{value}")
    body = said.replace("{entity}", entity).replace("{value}", value)
    return Sentence(f"{before}{body}{after}", (start, start + len(value)))


def another_value(said: Sentence, half: Half, number: int) -> str:
    """A value of the same attribute that the sentence does not state."""
    content = catalog()
    names = list(content.attributes)
    stated = said.text[slice(*said.span)]
    others = [str(value) for value in content.attributes[names[number % len(names)]].domain]
    others.remove(stated)
    return keys.rng("another value", half, number).choice(others)


def _of(half: Half, items: Sequence[T]) -> Sequence[T]:
    return items[HALVES.index(half) :: 2]
