"""How many answers remain possible to whoever cannot perceive an item's own channel: one over it is
the item's chance level."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from voxmem.records import Gold, Question
from voxmem.semantics import CHANNEL_OF, Episode, mask, possibilities

WORLDS = (400, 20_000)
"""Completions that are looked at: more where few show only one answer."""
HIGHEST = 0.5
"""A chance level above this means that one answer is left: the words alone decide it."""


def possible_answers(question: Question, episodes: Sequence[Episode]) -> int:
    """The number of answers that are possible under the mask of the question's own channel; a
    lower bound where there are very many completions."""
    masked = mask(episodes, {CHANNEL_OF[question.evidence_type]})
    count = 0
    for limit in WORLDS:
        left = possibilities(
            question.query, masked, question.asker, limit, values=question.space.options
        )
        count = _count(left.answers, question.space.options)
        if count > 1 or left.exhausted:
            break
    return count


def _count(possible: Collection[Gold], options: Sequence[str]) -> int:
    """One that is not among the options is an invented value: it stands for any, so that each of
    the options may be it."""
    if not options:
        return len(possible)
    listed = sum(
        all(str(item) in options for item in (answer if isinstance(answer, tuple) else (answer,)))
        for answer in possible
    )
    return listed if listed == len(possible) else max(listed, len(options))
