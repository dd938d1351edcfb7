"""Which candidates become questions: those that keep everything balanced and crossed.

Cue, topic and fact are crossed, and voices, sounds, deliveries and golds are even, so that nothing
predicts an answer but the evidence (VoxMem, Tables 4 and 5). Candidates are taken one by one, each
time the one whose features have been used least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from voxmem.keys import key
from voxmem.records import Plan

LOOK = 160
"""Candidates compared for one question: more make no difference to the balance."""

Feature = tuple[str, ...]

_WEIGHTS = {
    "gold": 4.0,
    "topic of form": 2.0,
    "topic": 1.0,
    "voice": 1.0,
    "cue": 1.0,
    "cue and topic": 2.0,
    "cue and fact": 2.0,
    "fact": 0.5,
}


class Sketch(NamedTuple):
    """What selection needs to know of a candidate."""

    request: int
    candidate: int
    form: str
    text: str
    content: str
    """What is asked of which facts: two candidates of equal content are duplicates."""
    evidence: int
    features: tuple[Feature, ...]
    lot: str
    """Decides between candidates that are equally good."""


def sketch(plan: Plan, request: int, candidate: int) -> Sketch:
    """The sketch of a candidate."""
    question = plan.question
    stated = sorted((fact.entity, fact.attribute) for item in plan.sessions for fact in item.facts)
    return Sketch(
        request=request,
        candidate=candidate,
        form=question.form,
        text=question.text,
        content=key(question.form, question.asker, stated, question.gold),
        evidence=len(question.evidence_session_ids),
        features=tuple(dict.fromkeys(_features(plan))),
        lot=key("lot", question.question_id),
    )


def _features(plan: Plan) -> Iterator[Feature]:
    question = plan.question
    evidence, topic = str(question.evidence_type), plan.sessions[0].topic
    # A label is balanced among the sets of options it can be in: some are in every set.
    options = ",".join(question.space.options) if question.space.closed else ""
    yield ("gold", question.form, options, str(question.gold))
    yield ("gold", question.form, str(question.gold))
    yield ("topic of form", question.form, topic)
    yield ("topic", evidence, str(question.operation), topic)
    yield ("voice", evidence, question.asker)
    for item in plan.sessions:
        heard = (item.cue.value if item.cue else None, item.sound)
        for cue in (name for name in heard if name is not None):
            yield ("cue", evidence, cue)
            yield ("cue and topic", evidence, cue, topic)
            for fact in item.facts:
                yield ("cue and fact", evidence, cue, fact.attribute)
        for fact in item.facts:
            yield ("fact", fact.attribute, str(fact.value))


class Selection:
    """What has been taken so far.

    Args:
        evidence: Mean evidence sessions of a question to aim at; ``None`` if free.
    """

    def __init__(self, evidence: float | None = None) -> None:
        self._evidence = evidence
        self._used: Counter[Feature] = Counter()
        self._texts: set[str] = set()
        self._taken, self._sessions = 0, 0.0

    def ranked(self, candidates: Iterable[Sketch]) -> list[Sketch]:
        """Candidates with new words, the one to be taken first in front."""
        free = [item for item in candidates if item.text not in self._texts]
        free.sort(key=lambda item: item.lot)
        looked, rest = free[:LOOK], free[LOOK:]
        return sorted(looked, key=lambda item: (self._cost(item), item.lot)) + rest

    def take(self, item: Sketch) -> None:
        """Counts a candidate as taken."""
        self._used.update(item.features)
        self._texts.add(item.text)
        self._taken += 1
        self._sessions += item.evidence

    def _cost(self, item: Sketch) -> float:
        repeated = sum(_WEIGHTS[name[0]] * self._used[name] for name in item.features)
        cost = repeated / len(item.features)
        if self._evidence is not None:
            after = self._sessions + item.evidence - self._evidence * (self._taken + 1)
            cost += 0.2 * abs(after)
        return cost
