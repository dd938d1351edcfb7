"""What the gates look at: one question with its histories, and the scene that a prompt shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from voxmem.models.audio import ReadAudio
from voxmem.records import Clip, ClipSpec, History, Placement, Question, Session
from voxmem.semantics import Decision, answer, observe_all
from voxmem.taxonomy import ACOUSTIC


@dataclass(frozen=True)
class Recordings:
    """The clips of a build that is spoken."""

    clip: Callable[[ClipSpec], Clip | None]
    """The clip of a specification; ``None`` if it was never spoken."""
    read: ReadAudio
    """SHA-256 → stored bytes."""


@dataclass(frozen=True)
class Scene:
    """Sessions in their places: a history, or one that was changed to see what follows."""

    placements: tuple[Placement, ...]
    sessions: Mapping[str, Session]
    """By id; may hold more than is placed."""

    def decide(self, question: Question) -> Decision:
        """What the definition says of the question over this scene."""
        episodes = observe_all(self.placements, self.sessions)
        return answer(question.query, episodes, question.asker)

    def without(self, session_id: str) -> Scene:
        """The scene with one session taken out."""
        kept = tuple(place for place in self.placements if place.session_id != session_id)
        return replace(self, placements=kept)

    def reordered(self, slots: Sequence[str], order: Sequence[str]) -> Scene:
        """The scene with ``order[i]`` at the time of ``slots[i]``, again in order of time."""
        times = {place.session_id: place.timestamp for place in self.placements}
        moved = {who: times[slot] for who, slot in zip(order, slots, strict=True)}
        places = (
            place.model_copy(update={"timestamp": moved[place.session_id]})
            if place.session_id in moved
            else place
            for place in self.placements
        )
        return replace(
            self, placements=tuple(sorted(places, key=lambda at: (at.timestamp, at.session_id)))
        )

    def with_sessions(self, changed: Mapping[str, Session]) -> Scene:
        """The scene with some sessions exchanged for others of the same id."""
        return replace(self, sessions={**self.sessions, **changed})


@dataclass(frozen=True)
class Case:
    """One question, its histories, and everything that they name."""

    question: Question
    histories: tuple[History, ...]
    """One a budget, shortest first; each holds the sessions of the shorter ones."""
    sessions: Mapping[str, Session]
    """By id; shared by all cases, and may hold more than the histories name."""
    recordings: Recordings | None = None
    """``None``: nothing is spoken."""

    @property
    def is_acoustic(self) -> bool:
        """Whether it has an answer that is not in the words."""
        return self.question.gold is not None and self.question.evidence_type in ACOUSTIC

    @property
    def shortest(self) -> Scene:
        return self._scene(self.histories[0])

    @property
    def longest(self) -> Scene:
        """It holds every session of the shorter histories."""
        return self._scene(self.histories[-1])

    def earliest_budget(self, session_ids: Sequence[str]) -> str:
        """The first budget whose history holds all these sessions."""
        wanted = set(session_ids)
        for history in self.histories:
            if wanted <= {place.session_id for place in history.placements}:
                return history.budget
        return self.histories[-1].budget

    def _scene(self, history: History) -> Scene:
        held = {place.session_id: self.sessions[place.session_id] for place in history.placements}
        return Scene(history.placements, held)
