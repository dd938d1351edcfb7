"""What each writer is given and hands back, and no more (VoxMem, Appendix B.2).

The information rules are types: a writer cannot leak what it was never handed. Templates and
language models write behind the same two protocols.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from voxmem.records import PlannedSession, Value


@dataclass(frozen=True)
class StatedFact:
    """A fact to be put into words."""

    entity: str
    attribute: str
    value: Value
    effective: date | None = None
    """The day from which it holds, if the speaker is to say so."""
    status: Literal["stated", "corrected", "cancelled"] = "stated"
    """``corrected``: takes back what was said of the attribute just before, in the same turn.
    ``cancelled``: the attribute is called off, and no value is spoken."""


@dataclass(frozen=True)
class UserBrief:
    """The user writer's view: what to say in this session. No query, gold, voice, cue or sound."""

    words_id: str
    """Seeds the wording; sessions that share it share their words."""
    topic: str
    entities: tuple[str, ...]
    facts: tuple[StatedFact, ...]
    turns: int
    """User turns to write."""
    key_turn: int = 0
    """The turn, counted from 0, that states the facts, in order; the others state no value."""
    roomy: bool = False
    """Whether turns last about 3.8 s, as in the paper, or are as short as in the demo."""


@dataclass(frozen=True)
class UserTurn:
    """The words of one user turn, and where the values of the facts that it states stand in them.

    One span a fact, in the order of the brief: characters [start, end) that hold ``str(value)``,
    or ``None`` for a cancelled fact. Empty for a turn that states none.
    """

    text: str
    spans: tuple[tuple[int, int] | None, ...] = ()


@dataclass(frozen=True)
class VisiblePrefix:
    """The assistant writer's view: the words so far, and nothing else."""

    texts: tuple[str, ...]
    """User and assistant texts in turn, a user text last."""


class UserWriter(Protocol):
    """Writes the user's side of one session."""

    def write(self, given: UserBrief) -> tuple[UserTurn, ...]:
        """All ``given.turns`` user turns. The first one names ``given.entities[0]``.

        Raises:
            VoxmemError: The turns cannot be written.
        """


class AssistantWriter(Protocol):
    """Writes the assistant's side, one reply at a time."""

    def reply(self, seen: VisiblePrefix) -> str:
        """The reply to the last text: 10 to 15 Whisper tokens, no stated fact, not said before.

        Raises:
            VoxmemError: The reply cannot be written.
        """


def brief(planned: PlannedSession, *, roomy: bool = False) -> UserBrief:
    """Strips a planned session to what its user writer may know."""
    return UserBrief(
        words_id=planned.words_of or planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        facts=tuple(
            StatedFact(
                entity=fact.entity,
                attribute=fact.attribute,
                value=fact.value,
                effective=fact.effective.date() if fact.effective else None,
                status=fact.status,
            )
            for fact in planned.facts
        ),
        turns=planned.turns,
        key_turn=planned.key_turn,
        roomy=roomy,
    )
