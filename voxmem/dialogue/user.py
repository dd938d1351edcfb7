"""The user's side by templates: one turn states the facts, the others are talk about the entity.

Every turn is an opener, a body and a closer, drawn until its estimated length is near one that was
drawn first, in the same way for all turns: length does not tell which turn states the facts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from voxmem.dialogue.slots import fill
from voxmem.dialogue.spoken import spoken_day
from voxmem.dialogue.views import StatedFact, UserBrief, UserTurn
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.speech.estimate import estimate_seconds

_TARGET = {True: 3.7, False: 3.0}
"""Seconds that turns are drawn near to, if roomy and if not. The shortest ones are not to be had,
so that the mean of roomy turns is 3.8 s, and 3.4 s of the others."""
_DEVIATION = 0.6
_BODIES, _FRAMES = 3, 3
"""Bodies drawn for a turn, and pairs of an opener and a closer drawn for each."""
_BARE = 0.5
"""The share of turns tried without an opener, and of those without a closer."""
_PRONOUN = 0.4
"""How often "it" stands for an entity that was named before."""


class UserWords(BaseModel):
    """The parts of ordinary turns. A body's slots are filled from ``slots``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: tuple[str, ...]
    """Openers of a session's first turn."""
    later: tuple[str, ...]
    """Openers of the others; one that ends in a comma runs on into the body."""
    closers: dict[str, tuple[str, ...]]
    """By act: statement, question, request."""
    opening: dict[str, tuple[str, ...]]
    """Bodies of a session's first turn, by act: remark, question, request."""
    bodies: dict[str, tuple[str, ...]]
    """Bodies of the other turns."""
    slots: dict[str, tuple[str, ...]]


@cache
def user_words() -> UserWords:
    """The wordings that ship with the package."""
    text = (files("voxmem.dialogue") / "user.toml").read_text(encoding="utf-8")
    return UserWords.model_validate(tomllib.loads(text))


class TemplateUser:
    """Writes from templates; the words follow from the brief alone."""

    def write(self, given: UserBrief) -> tuple[UserTurn, ...]:
        """All user turns of a session."""
        script = _Script(given)
        return tuple(script.turn(at) for at in range(given.turns))


@dataclass(frozen=True)
class _Words:
    """Words in the making: their text, the spans of the values in it, the wordings they are of."""

    text: str
    spans: tuple[tuple[int, int] | None, ...] = ()
    parts: tuple[str, ...] = ()
    closers: str = "statement"
    """The act whose closers fit."""


class _Script:
    """One session in the making. Remembers the wordings it has used, so that none comes twice."""

    def __init__(self, given: UserBrief) -> None:
        self.given = given
        self.entities = given.entities or tuple(fact.entity for fact in given.facts)
        if not self.entities:
            raise ConstructionError("names no entity", item=given.words_id, stage="write")
        self.draw = rng("user words", given.words_id)
        self.used: set[str] = set()

    def turn(self, at: int) -> UserTurn:
        states = at == self.given.key_turn and self.given.facts
        target = self.draw.gauss(_TARGET[self.given.roomy], _DEVIATION)
        tries: list[tuple[float, int, str, _Words, str]] = []
        for _ in range(_BODIES):
            body = self._statement() if states else self._talk(first=at == 0)
            seconds = estimate_seconds(body.text)
            for _ in range(_FRAMES):
                opener = self._sometimes(user_words().later if at else user_words().first)
                closer = self._sometimes(user_words().closers[body.closers])
                miss = abs(seconds + _added(opener) + _added(closer) - target)
                tries.append((miss, len(tries), opener, body, closer))
        _, _, opener, body, closer = min(tries)
        chosen = _assemble(opener, body, closer)
        self.used.update(chosen.parts)
        return UserTurn(chosen.text, chosen.spans)

    def _statement(self) -> _Words:
        """All facts, in order, and where their values stand."""
        text, spans, named = "", [], ""
        for at, fact in enumerate(self.given.facts):
            taken_back = fact.status == "corrected" and _same_thing(fact, self.given.facts[:at])
            wording = self.draw.choice(_wordings(fact, taken_back=taken_back))
            wording = wording.replace("{entity}", "it" if fact.entity == named else fact.entity)
            if fact.effective is not None:
                wording = wording.replace("{date}", spoken_day(fact.effective))
            named = fact.entity
            before, slot, after = wording.partition("{value}")
            start = len(text) + bool(text) + len(before)
            value = str(fact.value) if slot else ""
            spans.append((start, start + len(value)) if slot else None)
            text = f"{text} {before}{value}{after}".strip()
        return _Words(text, tuple(spans))

    def _talk(self, *, first: bool) -> _Words:
        """Something about the entity that states nothing of it."""
        bodies = user_words().opening if first else user_words().bodies
        act = self.draw.choice(sorted(bodies))
        frame = self._fresh(bodies[act])
        entity = self.entities[0] if first else self.draw.choice(self.entities)
        pronoun = not first and len(self.entities) == 1 and self.draw.random() < _PRONOUN
        names = {"entity": entity, "it": "it" if pronoun else entity}
        text = fill(frame, user_words().slots, self.draw, names)
        return _Words(text, parts=(frame,), closers="statement" if act == "remark" else act)

    def _sometimes(self, wordings: Sequence[str]) -> str:
        return "" if self.draw.random() < _BARE else self._fresh(wordings)

    def _fresh(self, wordings: Sequence[str]) -> str:
        wording = self.draw.choice(wordings)
        if wording in self.used:
            unused = [each for each in wordings if each not in self.used]
            return self.draw.choice(unused or wordings)
        return wording


def _wordings(fact: StatedFact, *, taken_back: bool) -> tuple[str, ...]:
    attribute = catalog().attributes[fact.attribute]
    if fact.status == "cancelled":
        if fact.effective is None:
            return attribute.cancel
        return tuple(f"As of {{date}}, {_run_on(wording)}" for wording in attribute.cancel)
    if fact.effective is not None:
        return attribute.say_from
    return attribute.correct if taken_back else attribute.say


def _same_thing(fact: StatedFact, before: Sequence[StatedFact]) -> bool:
    """Whether the last thing said is what this fact takes back."""
    return bool(before) and (before[-1].entity, before[-1].attribute) == (
        fact.entity,
        fact.attribute,
    )


@lru_cache(maxsize=1 << 10)
def _added(sentence: str) -> float:
    """Seconds that an opener or a closer adds to a turn, its pause included."""
    other = "Something else."
    return estimate_seconds(f"{sentence} {other}".strip()) - estimate_seconds(other)


def _assemble(opener: str, body: _Words, closer: str) -> _Words:
    text = _run_on(body.text) if opener.endswith(",") else body.text
    shift = len(opener) + bool(opener)
    spans = tuple(span and (span[0] + shift, span[1] + shift) for span in body.spans)
    joined = " ".join(part for part in (opener, text, closer) if part)
    return _Words(joined, spans, (*body.parts, opener, closer))


def _run_on(sentence: str) -> str:
    """A sentence as it goes on after a comma."""
    return sentence if sentence.startswith("I ") else sentence[0].lower() + sentence[1:]
