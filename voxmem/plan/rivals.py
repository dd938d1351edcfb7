"""Same-key distractors: sessions that nearly meet what a question looks for (VoxMem, B.5).

They are derived from the question itself. A question finds its evidence by conditions; a rival
meets all of them but one, or all of them and lacks what is asked. It competes around the retrieval
key and never supports the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.config import BuildConfig
from voxmem.plan.chance import possible_answers
from voxmem.plan.draft import when_of
from voxmem.plan.near_misses import ATTEMPTS, NearMisses
from voxmem.plan.preview import preview
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import Answer, answer
from voxmem.semantics.consequences import without_acoustics


def add_rivals(config: BuildConfig, plan: Plan) -> Plan:
    """The plan with its same-key distractors, as many as its longest history may hold.

    Where no further near miss exists there are fewer. The first ones are those that defeat the
    shortcut of ignoring the acoustic condition: even the shortest history holds them.
    """
    maker = NearMisses(config, plan)
    rivals: list[PlannedSession] = []
    for at in range(config.budgets[-1].samekey):
        for attempt in range(ATTEMPTS):
            rival = maker.near_miss(at, attempt)
            if rival is None or not _harmless(plan, [*rivals, rival]):
                continue
            if at or attempt == ATTEMPTS - 1 or _competes(plan, rival):
                rivals.append(rival)
                maker.keep(rival)
                break
    return plan.model_copy(
        update={"sessions": tuple(sorted((*plan.sessions, *rivals), key=when_of))}
    )


def _harmless(plan: Plan, rivals: Sequence[PlannedSession]) -> bool:
    question = plan.question
    decision = answer(question.query, preview((*plan.sessions, *rivals)), question.asker)
    return decision == Answer(question.gold)  # type: ignore[arg-type]


def _competes(plan: Plan, rival: PlannedSession) -> bool:
    """Whether with this one rival, which even the shortest history holds, ignoring the acoustic
    condition no longer gives the gold, and hiding the item's own channel leaves it open."""
    question = plan.question
    episodes = preview((*plan.sessions, rival))
    worded = without_acoustics(question.query)
    if worded == question.query:
        return True
    misled = answer(worded, episodes, question.asker) != Answer(question.gold)  # type: ignore[arg-type]
    return misled and possible_answers(question, episodes) > 1
