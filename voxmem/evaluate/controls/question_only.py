"""The control that reads the question and nothing else: what its words give away.

Questions whose words are alike are answered alike: the golds of those other families' questions
that share the most telling words vote, each by how much it shares (nearest neighbours over TF-IDF,
cosine). A benchmark that a system can do this on without listening has a shortcut (VoxMem, B.6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from voxmem.evaluate.controls.chance import Chance
from voxmem.evaluate.controls.control import reply
from voxmem.evaluate.controls.learner import Seeded, leading
from voxmem.evaluate.spaces import holds
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.records import AskedQuestion, Gold

NEIGHBOURS = 15


@dataclass(frozen=True)
class QuestionOnly(Seeded):
    """The answer that the most similar questions of other families have.

    Only questions of the same answer type vote, and only answers that are in the item's own space
    are given. That there is no answer is one that neighbours may vote for. Where no neighbour has
    an answer that is possible here, the answer is that of ``chance``, unless those that have none
    outweigh the rest.
    """

    name: str = "question-only"

    async def decide(self, item: Item) -> Reply:
        question = item.question
        nearest = self.neighbours(question)
        votes: dict[Gold | None, float] = defaultdict(float)
        for each, weight in nearest:
            if each.gold is None or holds(question.space, each.gold):
                votes[each.gold] += weight
        total = sum(weight for _, weight in nearest)
        if set(votes) <= {None} and votes[None] <= total / 2:
            return await Chance(seed=self.seed, questions=self.questions).decide(item)
        kin = sum(each.answer_type is question.answer_type for each in self.left_out(question))
        missing = kin * nearest[0][1]
        return reply(leading(votes, missing, self.name, self.seed, question.question_id))

    def neighbours(self, question: AskedQuestion) -> list[tuple[AskedQuestion, float]]:
        """The most similar questions of its answer type, and how alike they are, most alike first;
        those that share no word with it are none."""
        others = self.of_other_families(question)
        alike = dict(self._words.alike(question.text))
        known = [
            (each, alike[each.text])
            for each in others
            if each.answer_type is question.answer_type and alike[each.text] > 0
        ]
        return sorted(known, key=lambda one: (-one[1], one[0].question_id))[:NEIGHBOURS]

    @cached_property
    def _words(self) -> _Words:
        return _Words(each.text for each in self.questions or ())


class _Words:
    """How alike questions are in their words. How rare a word is, is counted over all questions,
    the item's own among them: that tells nothing of any gold."""

    def __init__(self, texts: Iterable[str]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self._vectorizer: Any = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        self._texts = list(dict.fromkeys(texts))
        self._vectors = self._vectorizer.fit_transform(self._texts)

    def alike(self, text: str) -> Iterator[tuple[str, float]]:
        """Every text with the cosine of its angle to the given one, from 0 to 1."""
        cosines = (self._vectors @ self._vectorizer.transform([text]).T).toarray().ravel()
        return zip(self._texts, (round(float(each), 9) for each in cosines), strict=True)
