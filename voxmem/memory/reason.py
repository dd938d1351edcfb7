"""Reasoning over what was perceived: the semantics, over episodes that are estimates."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.evaluate.controls import REFUSAL, as_text
from voxmem.models.outcome import Reply
from voxmem.query import Query
from voxmem.semantics import Answer, Episode, answer

NOT_ASKED = (
    "what is asked is known in words alone: this system reasons over the meaning of a question, "
    "which releases built here have and imported datasets have not"
)


def answer_from(episodes: Sequence[Episode], query: Query | None, asker: str) -> Reply:
    """What the semantics make of episodes, estimated or not, as a reply in words.

    Args:
        episodes: In any order; unknown where nothing was perceived.
        query: What is asked (:attr:`voxmem.models.told.Told.meaning`); without it the outcome is
            ``unsupported``.
        asker: The label of the voice that asks, among the speakers of the episodes.
    """
    if query is None:
        return Reply(outcome="unsupported", error=NOT_ASKED)
    decision = answer(query, episodes, asker)
    text = as_text(decision.value) if isinstance(decision, Answer) else REFUSAL
    return Reply(outcome="ok", text=text)
