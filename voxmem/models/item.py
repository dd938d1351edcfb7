"""Everything there is to one item of a release: for controls and for the making of arms.

A system under test never gets an :class:`Item`, but what an arm tells of it
(:class:`voxmem.models.told.Told`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from voxmem.errors import ConstructionError, UsageError
from voxmem.messages import SpokenSession
from voxmem.records import AskedQuestion, History, Question, Session, StoredClip


@dataclass(frozen=True)
class Item:
    """A question over its history at one budget, with the records that the history names."""

    question: AskedQuestion
    history: History
    sessions: Mapping[str, Session]
    """By session id; may hold more than the history names."""
    clips: Mapping[tuple[str, int], StoredClip]
    """By session id and user turn, counted from 0."""
    question_clip: StoredClip
    read_audio: Callable[[str], bytes]
    """SHA-256 → the stored bytes."""

    @property
    def item_id(self) -> str:
        """Of the question at this budget."""
        return self.history.item_id

    @property
    def annotated(self) -> Question:
        """The question with its meaning.

        Raises:
            UsageError: The dataset was imported: it says what is asked in words alone.
        """
        if isinstance(self.question, Question):
            return self.question
        raise UsageError(
            "this release was imported: it carries no annotations",
            item=self.item_id,
            stage="evaluate",
            remedy="choose systems and arms that need none: a model, abstain, chance",
        )

    def spoken_sessions(self) -> tuple[SpokenSession, ...]:
        """The history's sessions with their times and clips, in its order.

        Raises:
            ConstructionError: A session or clip that the history needs is not here; it is named.
        """
        return tuple(
            (session, place.timestamp, self._clips_of(session))
            for place in self.history.placements
            for session in (self._session(place.session_id),)
        )

    def _session(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            raise self._lacks(f"session {session_id}")
        return self.sessions[session_id]

    def _clips_of(self, session: Session) -> tuple[StoredClip, ...]:
        wanted = [(session.session_id, turn) for turn in range(len(session.user_turns))]
        for session_id, turn in wanted:
            if (session_id, turn) not in self.clips:
                raise self._lacks(f"clip of user turn {turn + 1} of session {session_id}")
        return tuple(self.clips[place] for place in wanted)

    def _lacks(self, what: str) -> ConstructionError:
        return ConstructionError(
            f"the {what} is missing",
            item=self.item_id,
            stage="evaluate",
            remedy="run the stage speak again; what is done is kept",
        )
