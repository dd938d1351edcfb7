"""All histories of a build, with what they are made of: what checks look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from voxmem.config import BuildConfig
from voxmem.history.lengths import Lengths
from voxmem.history.notes import FitNote
from voxmem.records import History, Plan, PlannedSession, Session


class Glimpse(NamedTuple):
    """A session as far as it may be taken for another, or betray its role."""

    words: tuple[str, ...]
    sound: tuple[object, ...]
    """Voice, delivery and background, turn by turn."""
    voices: frozenset[str | None]
    states_facts: bool


def glimpse(session: Session) -> Glimpse:
    """What the checks need to know of a session."""
    turns = session.user_turns
    return Glimpse(
        words=tuple(turn.text for turn in turns),
        sound=tuple((turn.speaker, turn.cues, turn.sound) for turn in turns),
        voices=frozenset(turn.speaker for turn in turns),
        states_facts=any(turn.facts for turn in turns),
    )


@dataclass(frozen=True)
class Assembly:
    """All histories of a build, and what they are made of.

    Args:
        histories: By question, shortest first.
        sessions: Every session by its id.
        lengths: The lengths that the histories were fitted by.
    """

    config: BuildConfig
    plans: Sequence[Plan]
    histories: Mapping[str, Sequence[History]]
    sessions: Mapping[str, Session]
    lengths: Lengths
    notes: Sequence[FitNote] = ()

    @cached_property
    def plan_of(self) -> dict[str, Plan]:
        """Question → plan."""
        return {plan.question.question_id: plan for plan in self.plans}

    @cached_property
    def planned(self) -> dict[str, PlannedSession]:
        """Planned session by its id."""
        return {item.session_id: item for plan in self.plans for item in plan.sessions}

    @cached_property
    def owners(self) -> dict[str, Plan]:
        """Evidence session → the answerable plan whose evidence it is."""
        return {
            name: plan
            for plan in self.plans
            if plan.question.gold is not None
            for name in plan.question.evidence_session_ids
        }

    @cached_property
    def glimpses(self) -> dict[str, Glimpse]:
        """What the checks need to know of every placed session."""
        placed = {
            place.session_id
            for histories in self.histories.values()
            for history in histories
            for place in history.placements
        }
        return {name: glimpse(self.sessions[name]) for name in placed}

    @cached_property
    def noted(self) -> dict[tuple[str, str], int]:
        """Item and kind of note → what was found."""
        return {(note.item_id, note.kind): note.found for note in self.notes}
