"""Four systems that need no model: the controls of the whole road.

``abstain`` is right on answer refusal alone, ``oracle`` on everything, ``oracle-transcript`` on
what words decide, and ``chance`` shows what guessing is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.keys import key, rng
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.registry import register
from voxmem.records import AnswerSpace, Gold
from voxmem.semantics import TRANSCRIPT_MASK, Answer, Channel, answer, mask, observe_all
from voxmem.taxonomy import AnswerType

REFUSAL = "insufficient evidence"
"""The reply that the candidate prompt asks for where no single answer is determined."""


@dataclass(frozen=True)
class Control:
    """What the controls share: they are decided by the annotations alone."""

    name: str
    kind: ClassVar[Literal["control"]] = "control"
    revision: ClassVar[str] = "1"

    @property
    def fingerprint(self) -> str:
        return key("control", self.name, self.revision)


@dataclass(frozen=True)
class Abstain(Control):
    """Always abstains."""

    name: str = "abstain"

    async def decide(self, item: Item) -> Reply:
        return Reply(outcome="ok", text=REFUSAL)


@dataclass(frozen=True)
class Chance(Control):
    """Guesses from the question's answer space, seeded by the item."""

    name: str = "chance"
    seed: int = 1

    @property
    def fingerprint(self) -> str:
        return key("control", self.name, self.revision, self.seed)

    async def decide(self, item: Item) -> Reply:
        guess = _guess(item.question.answer_type, item.question.space, self.seed, item.item_id)
        return Reply(outcome="ok", text=guess)


@dataclass(frozen=True)
class Oracle(Control):
    """The semantics over the annotations, as far as they are not hidden from it."""

    name: str = "oracle"
    hidden: frozenset[Channel] = frozenset()

    async def decide(self, item: Item) -> Reply:
        episodes = mask(observe_all(item.history.placements, item.sessions), self.hidden)
        question = item.annotated
        decision = answer(question.query, episodes, question.asker)
        text = as_text(decision.value) if isinstance(decision, Answer) else REFUSAL
        return Reply(outcome="ok", text=text)


def as_text(gold: Gold) -> str:
    """An answer as a reply states it."""
    return ", ".join(gold) if isinstance(gold, tuple) else str(gold)


ANYTHING = "something"
"""A guess at a free text, of which nothing is known: it is wrong, and no refusal."""


def _guess(answer_type: AnswerType, space: AnswerSpace, seed: int, item_id: str) -> str:
    draw = rng("chance", seed, item_id)
    if answer_type is AnswerType.NUMBER:
        return str(draw.randint(space.low or 0, space.high or 0))
    if answer_type is AnswerType.ORDERED_LIST:
        return as_text(tuple(draw.sample(space.options, space.length or 1)))
    if answer_type is AnswerType.UNORDERED_SET:
        size = draw.randint(1, len(space.options))
        return as_text(tuple(sorted(draw.sample(space.options, size))))
    return draw.choice(space.options or (ANYTHING,))


CONTROLS: tuple[str, ...] = ("abstain", "chance", "oracle", "oracle-transcript")

register("abstain", Abstain)
register("chance", Chance)
register("oracle", Oracle)
register("oracle-transcript", lambda: Oracle("oracle-transcript", TRANSCRIPT_MASK))
