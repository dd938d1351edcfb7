"""Planned sessions as the semantics sees them, before they have words."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.errors import ConstructionError
from voxmem.records import PlannedSession, Session, Turn
from voxmem.semantics import Episode, observe


def as_session(planned: PlannedSession) -> Session:
    """The session with all its annotations and no words.

    Its key turn stands for all: voice and sound are those of every turn, and no other turn states
    a fact or carries a cue.
    """
    turn = Turn(
        role="user",
        text="",
        speaker=planned.speaker,
        facts=planned.facts,
        cues=(planned.cue,) if planned.cue else (),
        sound=planned.sound,
    )
    return Session(
        session_id=planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        turns=(turn,),
    )


def preview(planned: Iterable[PlannedSession]) -> tuple[Episode, ...]:
    """The episodes of planned sessions, in order of time."""
    episodes = []
    for item in planned:
        if item.timestamp is None:
            raise ConstructionError("has no timestamp", item=item.session_id, stage="plan")
        episodes.append(observe(as_session(item), item.timestamp))
    return tuple(sorted(episodes, key=lambda episode: episode.timestamp))
