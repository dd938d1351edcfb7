"""What each writer is given, and no more (VoxMem, Appendix B.2).

The information rules are types: a writer cannot leak what it was never handed.
"""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.records import PlannedSession, Value


@dataclass(frozen=True)
class StatedFact:
    """A fact to be put into words."""

    entity: str
    attribute: str
    value: Value


@dataclass(frozen=True)
class UserBrief:
    """The user writer's view: what to say in this session. No query, gold, voice, cue or sound."""

    words_id: str
    """Seeds the wording; sessions that share it share their words."""
    topic: str
    entities: tuple[str, ...]
    facts: tuple[StatedFact, ...]
    turns: int


@dataclass(frozen=True)
class VisiblePrefix:
    """The assistant writer's view: the words so far, and nothing else."""

    texts: tuple[str, ...]
    """User and assistant texts in turn, a user text last."""


def brief(planned: PlannedSession) -> UserBrief:
    """Strips a planned session to what its user writer may know."""
    return UserBrief(
        words_id=planned.words_of or planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        facts=tuple(StatedFact(fact.entity, fact.attribute, fact.value) for fact in planned.facts),
        turns=planned.turns,
    )
