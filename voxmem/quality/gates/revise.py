"""Revision: a question whose wording failed is asked in other words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from voxmem.errors import ConstructionError
from voxmem.quality.gates.records import Finding
from voxmem.records import Question

Revise = Callable[[Question, Finding], Question | None]
"""The question in other words, or ``None`` if that would not help or there are none."""

OF_WORDING = frozenset(
    {
        "wording",
        "world_knowledge",
        "prior",
        "no_answer",
        "other_answer",
        "not_unique",
        "alternative",
    }
)
"""Reasons for which the wording may be to blame. Others lie in what is said and heard."""


def never(question: Question, finding: Finding) -> Question | None:
    """No question is revised."""
    return None


def another_wording(wordings: Mapping[str, Sequence[str]]) -> Revise:
    """Revision by the next of a plan's wordings.

    Args:
        wordings: Question id → every wording of the question (``Plan.wordings``). They are gone
            through once, from the present one on.
    """
    tried: dict[str, set[str]] = {}

    def revise(question: Question, finding: Finding) -> Question | None:
        if finding.reason not in OF_WORDING:
            return None
        gone = tried.setdefault(question.question_id, set())
        gone.add(question.text)
        known = list(wordings.get(question.question_id, ()))
        start = known.index(question.text) + 1 if question.text in known else 0
        left = (text for text in (*known[start:], *known[:start]) if text not in gone)
        text = next(left, None)
        return None if text is None else question.model_copy(update={"text": text})

    return revise


def check_revision(before: Question, after: Question) -> None:
    """A revision changes the wording and nothing else.

    Raises:
        ConstructionError: It changes something else, or nothing.
    """
    if after.text == before.text or after.model_copy(update={"text": before.text}) != before:
        raise ConstructionError(
            "its revision must change the wording and nothing else",
            item=before.question_id,
            stage="gate",
            remedy="drop the question and plan another one",
        )
