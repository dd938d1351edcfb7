"""What can still be answered without the item's own channel: one over it is the chance level."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.records import Gold, Question
from voxmem.semantics import CHANNEL_OF, Episode, mask, possibilities
from voxmem.semantics.completions import is_stand_in

WORLDS = 2_000
"""Completions that are looked at."""
HIGHEST = 0.5
"""A chance level above this means that one answer is left: the words alone decide it."""


def answers_left(question: Question, episodes: Sequence[Episode]) -> int:
    """How many permitted answers remain possible once the item's own channel is hidden.

    Args:
        episodes: Of the shortest history: longer ones leave at least as much open.
    """
    masked = mask(episodes, {CHANNEL_OF[question.evidence_type]})
    options = set(question.space.options)
    left = possibilities(question.query, masked, question.asker, limit=WORLDS).answers
    invented = {item for item in left if is_stand_in(item)}
    known = {item for item in left - invented if not options or _fits(item, options)}
    # An invented name stands for any that is not in play.
    return len(known) + (max(len(options - {str(item) for item in known}), 2) if invented else 0)


def _fits(answer: Gold, options: set[str]) -> bool:
    if isinstance(answer, tuple):
        return all(item in options for item in answer)
    # Of the numbers, some stand for all.
    return isinstance(answer, int) or answer in options
