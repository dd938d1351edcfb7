"""The control that gives every question of a kind the same answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

from voxmem.evaluate.controls.chance import Chance, route
from voxmem.evaluate.controls.control import reply
from voxmem.evaluate.controls.learner import Seeded, leading
from voxmem.evaluate.spaces import is_unsaid
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.records import AskedQuestion


@dataclass(frozen=True)
class Majority(Seeded):
    """The best constant answer to the questions with the same answer type and answer space, as the
    other families have it.

    That there is no answer is an answer like any other here: a model that always says one thing may
    well say that. Ties are drawn, by the seed. Of imported questions, which say no space, those of
    one answer type, evidence type and subtype go together. Where no other family has the same
    space (the options are things that only this question speaks of), nothing is usual, and the
    answer is that of ``chance``.
    """

    name: str = "majority"

    async def decide(self, item: Item) -> Reply:
        question, group = item.question, group_of(item.question)
        votes = Counter(
            each.gold for each in self.of_other_families(question) if group_of(each) == group
        )
        if not votes:
            return await Chance(seed=self.seed, questions=self.questions).decide(item)
        missing = sum(group_of(each) == group for each in self.left_out(question))
        return reply(leading(votes, missing, self.name, self.seed, question.question_id))


def group_of(question: AskedQuestion) -> Hashable:
    """What the questions with one constant answer have in common."""
    space = question.space
    return question.answer_type, route(question) if is_unsaid(space) else space
