"""A published history as it can be told: its sessions, their times and recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from voxmem.errors import ConstructionError, InputError
from voxmem.interop.official.item import OfficialItem, OfficialSession, OfficialTurn
from voxmem.interop.official.questions import moment
from voxmem.keys import short
from voxmem.length import history_length
from voxmem.messages import SpokenSession, check_order, check_session
from voxmem.records import Length, Role, Session, StoredClip, Turn

ClipOf = Callable[[str, str], StoredClip]
"""SHA-256, and what it is of → the clip. It raises :class:`~voxmem.errors.InputError` for one
that nobody can be asked to hear."""


@dataclass(frozen=True)
class Place:
    """A session in a history, before sessions of one id are told apart."""

    session_id: str
    """As published."""
    content: str
    timestamp: datetime
    role: Role


@dataclass(frozen=True)
class ToldItem:
    """An item whose history can be told."""

    item: OfficialItem
    """Without its sessions."""
    places: tuple[Place, ...]
    length: Length


def tell(
    item: OfficialItem,
    query_timestamp: datetime,
    clip_of: ClipOf,
    sessions: dict[tuple[str, str], tuple[OfficialTurn, ...]],
) -> ToldItem:
    """Checks that an item's history can be told, and measures it.

    Args:
        sessions: By published id and content; those of the item are added.

    Raises:
        InputError: A user turn or the question has no audio, or none that can be heard; a session
            does not alternate between user and assistant, a user first; or time does not run
            forward.
    """
    if item.question_audio is None:
        raise InputError("the question has no audio")
    question_clip = clip_of(item.question_audio, "the question")
    places, spoken = [], []
    for session in item.sessions:
        place = Place(
            session_id=session.session_id,
            content=short("session", session.turns),
            timestamp=moment(session.timestamp),
            role=session.role,
        )
        places.append(place)
        spoken.append(_spoken(session, place, clip_of))
    try:
        check_order(spoken, query_timestamp)
    except ConstructionError as error:
        named = str(error.item).rpartition("-")[0]
        raise InputError(f"session {named}: {error.message}") from error
    for session, place in zip(item.sessions, places, strict=True):
        sessions[place.session_id, place.content] = session.turns
    return ToldItem(
        item=item.model_copy(update={"sessions": ()}),
        places=tuple(places),
        length=history_length(spoken, query_timestamp, question_clip),
    )


def session_of(session_id: str, turns: tuple[OfficialTurn, ...]) -> Session:
    """The record of a session of which nothing but the words is known."""
    return Session(
        session_id=session_id,
        topic="",
        turns=tuple(Turn(role=turn.role, text=turn.text) for turn in turns),
    )


def user_audio(session_id: str, turns: tuple[OfficialTurn, ...]) -> list[str]:
    """The SHA-256 of the clip of each user turn.

    Raises:
        InputError: A user turn has none.
    """
    found = [turn.audio for turn in turns if turn.role == "user"]
    for number, sha in enumerate(found, start=1):
        if sha is None:
            raise InputError(f"user turn {number} of session {session_id} has no audio")
    return [sha for sha in found if sha is not None]


def _spoken(session: OfficialSession, place: Place, clip_of: ClipOf) -> SpokenSession:
    # Two sessions of one history may share an id and differ: they are told apart by content.
    record = session_of(f"{place.session_id}-{place.content}", session.turns)
    clips = tuple(
        clip_of(sha, f"user turn {number} of session {session.session_id}")
        for number, sha in enumerate(user_audio(session.session_id, session.turns), start=1)
    )
    try:
        check_session(record, clips)
    except ConstructionError as error:
        raise InputError(f"session {session.session_id}: {error.message}") from error
    return record, place.timestamp, clips
