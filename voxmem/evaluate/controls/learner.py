"""Controls that look at the golds of other questions, and only of other families.

Whoever leaves a question out of a balanced set leaves more of every other answer in: taken as it
is, the most frequent answer of the rest is then always wrong. So an answer leads here as well if it
would with those that were left out (:func:`leading`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, Self, runtime_checkable

from voxmem.errors import UsageError
from voxmem.evaluate.controls.control import Named
from voxmem.keys import key, rng
from voxmem.models.registry import Control
from voxmem.records import AskedQuestion, Gold

Questions = tuple[AskedQuestion, ...]


@runtime_checkable
class Learner(Protocol):
    """A control that is shown the release's questions before it is asked."""

    def prepared(self, questions: Iterable[AskedQuestion]) -> Control:
        """The control that has seen them."""
        ...


@dataclass(frozen=True)
class Seeded(Named):
    """A control with a seed for what is left to chance, and the questions it was shown."""

    seed: int = 1
    questions: Questions | None = None
    """All of the release, by their ids; ``None`` until it is :meth:`prepared`."""

    @property
    def fingerprint(self) -> str:
        return key("control", self.name, self.revision, self.seed)

    def prepared(self, questions: Iterable[AskedQuestion]) -> Self:
        """The control with all questions of a release in view. Their order does not matter."""
        return replace(self, questions=tuple(sorted(questions, key=lambda each: each.question_id)))

    def of_other_families(self, question: AskedQuestion) -> list[AskedQuestion]:
        """What may be learnt from for a question: those that share no evidence with it.

        Raises:
            UsageError: The control was not :meth:`prepared`.
        """
        if self.questions is None:
            raise UsageError(
                f"{self.name} has not seen the release's questions",
                item=question.question_id,
                stage="evaluate",
                remedy="pass it through voxmem.evaluate.controls.prepared first",
            )
        return [each for each in self.questions if each.family_id != question.family_id]

    def left_out(self, question: AskedQuestion) -> list[AskedQuestion]:
        """The others: the question's own family."""
        return [each for each in self.questions or () if each.family_id == question.family_id]


def leading(votes: Mapping[Gold | None, float], missing: float, *seed: str | int) -> Gold | None:
    """The answer with the most votes. One is drawn, by the seed, of those that may have the most
    once the ``missing`` votes are in."""
    most = max(votes.values())
    first = sorted((gold for gold, count in votes.items() if count + missing >= most), key=repr)
    return rng("leading", *seed).choice(first)
