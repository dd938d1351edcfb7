"""Where the evidence is: alone, or next to the query.

*Evidence* are the sessions that the question names as such. A refusal item made by ambiguity has an
answer by its evidence alone: it is the rival beside it that takes it away. So the rival is told
with the evidence. For imported items the published sessions are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from voxmem.errors import UsageError
from voxmem.evaluate.arms import audio
from voxmem.evaluate.arms.arm import Arm
from voxmem.messages import Conversation, ToldSession
from voxmem.models.item import Item
from voxmem.records import Placement, Question
from voxmem.semantics import Answer, answer, observe_all, relevant

Arrange = Callable[[list[ToldSession], list[ToldSession]], list[ToldSession]]
"""The rest and the evidence, each in order of time → what is told."""


def tell_alone(item: Item, system: str) -> Conversation:
    """As audio, with the evidence as the whole history. A refusal item may be left with none.

    Raises:
        UsageError: The release does not say which sessions are the evidence.
    """
    return _tell(item, system, lambda rest, evidence: evidence)


def tell_last(item: Item, system: str) -> Conversation:
    """As audio, with the evidence after all other sessions, each group in its own order.

    Every session keeps its own time, so the times do not run forward: what is asked about order
    and dates keeps its answer.

    Raises:
        UsageError: The release does not say which sessions are the evidence.
    """
    return _tell(item, system, lambda rest, evidence: rest + evidence)


def _tell(item: Item, system: str, arrange: Arrange) -> Conversation:
    decisive = evidence_of(item)
    told = audio.tell(item, system)
    rest: list[ToldSession] = []
    evidence: list[ToldSession] = []
    for place, session in zip(item.history.placements, told.sessions, strict=True):
        (evidence if place.session_id in decisive else rest).append(session)
    return told.model_copy(update={"sessions": tuple(arrange(rest, evidence))})


def evidence_of(item: Item) -> frozenset[str]:
    """The ids of the sessions that decide the item.

    Raises:
        UsageError: The release does not say which they are, or names one that is not there.
    """
    question, history = item.question, item.history.placements
    named = frozenset(question.evidence_session_ids)
    missing = sorted(named - {place.session_id for place in history})
    if missing:
        raise _unknown(item, f"the history lacks the evidence session {missing[0]}")
    if question.gold is not None and not named:
        raise _unknown(item, "the release does not say which sessions are the evidence")
    if question.gold is None and isinstance(question, Question):
        return named | _rivals(item, question, named)
    return named


def _rivals(item: Item, question: Question, evidence: frozenset[str]) -> frozenset[str]:
    """Of a refusal item whose evidence alone has an answer: each session that takes it away."""

    def is_answered(*more: str) -> bool:
        kept = [each for each in places if each.session_id in evidence.union(more)]
        return isinstance(
            answer(question.query, observe_all(kept, item.sessions), question.asker), Answer
        )

    places: tuple[Placement, ...] = item.history.placements
    if not is_answered():
        return frozenset()
    candidates = relevant(question.query, observe_all(places, item.sessions))
    found = {each.session_id for each in candidates if not is_answered(each.session_id)}
    if not found:
        raise _unknown(item, "no one session keeps the evidence from having an answer")
    return frozenset(found)


def _unknown(item: Item, what: str) -> UsageError:
    return UsageError(
        what,
        item=item.item_id,
        stage="evaluate",
        remedy="choose an arm that tells the whole history",
    )


EVIDENCE_ONLY = Arm("evidence-only", tell_alone, "as audio, with the evidence as the whole history")
EVIDENCE_LAST = Arm("evidence-last", tell_last, "as audio, with the evidence next to the query")
