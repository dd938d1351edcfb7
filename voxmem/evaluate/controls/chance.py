"""The control that guesses: what an answer is worth that nobody thought about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from voxmem.evaluate.controls.control import as_text, reply
from voxmem.evaluate.controls.learner import Seeded
from voxmem.evaluate.spaces import is_unsaid
from voxmem.keys import rng
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.records import AnswerSpace, AskedQuestion, Gold
from voxmem.taxonomy import AnswerType

ANYTHING = "something"
"""A guess at a free text, of which nothing is known: it is wrong, and no refusal."""


@dataclass(frozen=True)
class Chance(Seeded):
    """Guesses from the question's answer space, seeded by the item.

    An imported question says no space: then it is what other families' questions of the same kind
    are answered with (:func:`usual_space`).
    """

    name: str = "chance"

    async def decide(self, item: Item) -> Reply:
        question, space = item.question, item.question.space
        if is_unsaid(space) and question.answer_type is not AnswerType.FREE_TEXT:
            space = usual_space(question, self.of_other_families(question))
        return reply(guess(question.answer_type, space, self.seed, item.item_id))


def guess(answer_type: AnswerType, space: AnswerSpace, seed: int, name: str) -> Gold:
    """Any answer of a space, each as likely as any other; for lists and sets of options, any of
    the permitted length."""
    draw = rng("chance", seed, name)
    options = space.options
    if answer_type is AnswerType.NUMBER:
        return draw.randint(space.low or 0, space.high or 0)
    if answer_type is AnswerType.ORDERED_LIST and options:
        return tuple(draw.sample(options, min(space.length or 1, len(options))))
    if answer_type is AnswerType.UNORDERED_SET and options:
        return tuple(sorted(draw.sample(options, draw.randint(1, len(options)))))
    return draw.choice(options or (ANYTHING,))


def usual_space(question: AskedQuestion, others: Iterable[AskedQuestion]) -> AnswerSpace:
    """The answers that other questions of the same answer type have: those of the same evidence
    type and subtype if there are any, else of all."""
    if question.answer_type is AnswerType.YES_NO:
        return AnswerSpace(options=("yes", "no"))
    same = [each for each in others if each.answer_type is question.answer_type]
    near = [each for each in same if route(each) == route(question)]
    golds = [each.gold for each in near if each.gold is not None]
    golds = golds or [each.gold for each in same if each.gold is not None]
    if question.answer_type is AnswerType.NUMBER:
        numbers = [gold for gold in golds if isinstance(gold, int)]
        return AnswerSpace(low=min(numbers, default=0), high=max(numbers, default=0))
    lists = [gold if isinstance(gold, tuple) else (as_text(gold),) for gold in golds]
    options = sorted({element for gold in lists for element in gold})
    lengths = Counter(len(gold) for gold in lists)
    length = min(lengths, key=lambda size: (-lengths[size], size), default=None)
    ordered = question.answer_type is AnswerType.ORDERED_LIST
    return AnswerSpace(options=tuple(options), length=length if ordered else None)


def route(question: AskedQuestion) -> tuple[str, str]:
    """The evidence type and the subtype: what a kind of question is (VoxMem, Table 3)."""
    return question.evidence_type, question.subtype
