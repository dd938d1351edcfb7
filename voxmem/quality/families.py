"""The family gate (QC-2) by the definition: every consequence of a question, at every budget.

What the paper asks a language model (VoxMem, §3.3) is computed over the assembled histories, with
all their haystack and filler sessions in place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from voxmem.plan.validate import check_question
from voxmem.records import Check, Gold, History, Question, Session
from voxmem.semantics import CHANNEL_OF, Episode, mask, observe_all, possibilities
from voxmem.semantics.consequences import ANSWERABLE_CONSEQUENCES, REFUSAL_CONSEQUENCES


def check_family(
    question: Question, histories: Sequence[History], sessions: Mapping[str, Session]
) -> list[Check]:
    """One row a budget and consequence, and one for the nesting of the histories."""
    rows = [_nested(question, histories)]
    for history in histories:
        episodes = observe_all(history.placements, sessions)
        rows += _consequences(question, history, episodes)
    if question.gold is not None:
        rows.append(_chance(question, histories[0], sessions))
    return rows


def _consequences(
    question: Question, history: History, episodes: tuple[Episode, ...]
) -> list[Check]:
    found = {item.consequence: item.detail for item in check_question(question, episodes)}
    names = ANSWERABLE_CONSEQUENCES if question.gold is not None else REFUSAL_CONSEQUENCES
    return [
        Check(
            subject=history.item_id,
            check=name,
            passed=name not in found,
            detail=found.get(name, ""),
        )
        for name in names
    ]


def _nested(question: Question, histories: Sequence[History]) -> Check:
    """A longer history holds the shorter one, at the same places in time."""
    pairs = list(pairwise(histories))
    broken = [
        long.budget for short, long in pairs if not set(short.placements) <= set(long.placements)
    ]
    return Check(
        subject=question.question_id,
        check="nested",
        passed=not broken,
        detail=f"{broken[0]} lacks sessions of the shorter budget" if broken else "",
    )


def _chance(question: Question, shortest: History, sessions: Mapping[str, Session]) -> Check:
    """What remains possible without the item's own channel: one over it is the chance level.

    Longer histories leave at least as much open, so the shortest one decides. The first turn of a
    session stands for all of it: it carries the facts and the cue, and voice and sound are those of
    every turn.
    """
    episodes = observe_all(shortest.placements, sessions)
    first = tuple(replace(item, utterances=item.utterances[:1]) for item in episodes)
    masked = mask(first, {CHANNEL_OF[question.evidence_type]})
    options = set(question.space.options)
    left = possibilities(question.query, masked, question.asker, limit=5_000).answers
    answers = {item for item in left if not options or _fits(item, options)}
    level = 1 / max(len(answers), 1)
    return Check(
        subject=question.question_id,
        check="chance_level",
        passed=level <= 0.5,
        value=round(level, 4),
        threshold=0.5,
        detail=f"{len(answers)} answers remain possible under the mask",
    )


def _fits(answer: Gold, options: set[str]) -> bool:
    if isinstance(answer, tuple):
        return all(item in options for item in answer)
    return str(answer) in options or str(answer).startswith("?")
