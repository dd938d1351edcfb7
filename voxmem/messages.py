"""A history and a question as the turns that every model is given (VoxMem, Appendix C.2).

One system text; then, session by session, user turns as audio and assistant turns as text; last the
spoken query. The first user turn of a session, and the query, are preceded by the time at which
they were spoken: nothing else marks where a session begins. What a user said is never given as
text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal

from voxmem.errors import ConstructionError
from voxmem.records import Delivery, Record, Session, StoredClip

SpokenSession = tuple[Session, datetime, tuple[StoredClip, ...]]
"""A session, when it took place, and one clip for each of its user turns, in order."""


class TextPart(Record):
    """Text inside a message."""

    kind: Literal["text"] = "text"
    text: str


class AudioPart(Record):
    """A clip inside a message, named by the hash of its bytes in the store."""

    kind: Literal["audio"] = "audio"
    sha256: str
    seconds: float


class Message(Record):
    """One turn as a model sees it."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[TextPart | AudioPart, ...]

    @property
    def text(self) -> str:
        """The text parts, one a line."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def clips(self) -> tuple[AudioPart, ...]:
        """The audio parts."""
        return tuple(part for part in self.parts if isinstance(part, AudioPart))


class ToldTurn(Record):
    """One turn of a session as a system under test is given it."""

    role: Literal["user", "assistant"]
    parts: tuple[TextPart | AudioPart, ...]


class ToldSession(Record):
    """One session as a system under test is given it: when it was, and its turns."""

    timestamp: datetime
    turns: tuple[ToldTurn, ...]


class Conversation(Record):
    """A history and its query as a system under test is given them.

    It holds no annotation, and no name that would give one away: an arm is a way of making one.
    """

    system: str
    """The candidate prompt."""
    sessions: tuple[ToldSession, ...]
    """In the order in which they are told."""
    query_timestamp: datetime | None
    """``None``: what is asked is no part of a conversation (of a judge, of an auditor)."""
    query: tuple[TextPart | AudioPart, ...]

    def messages(self, delivery: Delivery = "native") -> tuple[Message, ...]:
        """The turns that a chat model is given.

        Args:
            delivery: Where the system text goes.
        """
        turns = [message for session in self.sessions for message in _session_messages(session)]
        moment = self.query_timestamp
        turns.append(_user(self.query, before=timestamp_text(moment) if moment else None))
        instruction = TextPart(text=self.system)
        if delivery == "native":
            return (Message(role="system", parts=(instruction,)), *turns)
        return (Message(role="user", parts=(instruction, *turns[0].parts)), *turns[1:])

    @property
    def clips(self) -> tuple[AudioPart, ...]:
        """Every clip, the query's last, in the order in which they are told."""
        told = (turn.parts for session in self.sessions for turn in session.turns)
        return tuple(
            part for parts in (*told, self.query) for part in parts if isinstance(part, AudioPart)
        )


def alternating(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same with neighbouring turns of one side as one turn: where a session has no last reply,
    the next one begins with another user turn, and many templates take no two in a row."""
    return tuple(
        Message(role=role, parts=tuple(part for message in turns for part in message.parts))
        for role, turns in groupby(messages, key=lambda message: message.role)
    )


def converse(
    system: str,
    sessions: Sequence[SpokenSession],
    query_timestamp: datetime,
    question_clip: StoredClip,
) -> Conversation:
    """The conversation that ends with the spoken query: user turns as audio, replies as text.

    Args:
        system: The candidate prompt.
        sessions: The history in order of time; it may be empty.
        query_timestamp: The present time, given before the query.
        question_clip: The spoken query.

    Raises:
        ConstructionError: The system text is blank, a session has no valid structure (see
            :func:`check_session`), or time does not run forward. Sessions are named.
    """
    if not system.strip():
        raise ConstructionError(
            "the system text is blank", stage="messages", remedy="give the candidate prompt's text"
        )
    check_order(sessions, query_timestamp)
    return Conversation(
        system=system,
        sessions=tuple(_told(*spoken) for spoken in sessions),
        query_timestamp=query_timestamp,
        query=(_heard(question_clip),),
    )


def build_messages(
    system: str,
    sessions: Sequence[SpokenSession],
    query_timestamp: datetime,
    question_clip: StoredClip,
    *,
    delivery: Delivery = "native",
) -> tuple[Message, ...]:
    """The turns of :func:`converse`; its arguments and errors."""
    return converse(system, sessions, query_timestamp, question_clip).messages(delivery)


def timestamp_text(moment: datetime) -> str:
    """The line that precedes a session or the query, to the minute."""
    return f"Session timestamp: {moment:%Y-%m-%d %H:%M}"


def check_session(session: Session, clips: Sequence[StoredClip]) -> None:
    """Asserts that a session can be told as user and assistant turns.

    A user speaks first, the two sides alternate, no reply is blank, and each user turn has one
    clip. The last user turn may stay without a reply.

    Raises:
        ConstructionError: With the session's id and the turn (counted from 1).
    """
    if not session.turns:
        raise _broken(session, "has no turns")
    for number, turn in enumerate(session.turns, start=1):
        expected = "user" if number % 2 else "assistant"
        if turn.role != expected:
            raise _broken(session, f"turn {number} should be the {expected}'s, not {turn.role}'s")
        if turn.role == "assistant" and not turn.text.strip():
            raise _broken(session, f"turn {number}, an assistant's, is blank")
    if len(clips) != len(session.user_turns):
        raise _broken(session, f"has {len(session.user_turns)} user turns but {len(clips)} clips")


def check_order(sessions: Sequence[SpokenSession], query_timestamp: datetime) -> None:
    """Asserts that no session is told twice, or before an earlier one, or after the query.

    Raises:
        ConstructionError: With the id of the first session out of place.
    """
    told: set[str] = set()
    previous: datetime | None = None
    for session, moment, _ in sessions:
        if session.session_id in told:
            raise _broken(session, "appears twice in one history")
        if previous is not None and moment < previous:
            raise _broken(session, f"of {moment} follows one of {previous}")
        if moment > query_timestamp:
            raise _broken(session, f"of {moment} lies after the query of {query_timestamp}")
        told.add(session.session_id)
        previous = moment


def _told(session: Session, moment: datetime, clips: tuple[StoredClip, ...]) -> ToldSession:
    check_session(session, clips)
    spoken = iter(clips)
    return ToldSession(
        timestamp=moment,
        turns=tuple(
            ToldTurn(
                role=turn.role,
                parts=(_heard(next(spoken)) if turn.role == "user" else TextPart(text=turn.text),),
            )
            for turn in session.turns
        ),
    )


def _session_messages(session: ToldSession) -> Iterator[Message]:
    for index, turn in enumerate(session.turns):
        if turn.role == "user":
            yield _user(turn.parts, before=timestamp_text(session.timestamp) if not index else None)
        else:
            yield Message(role="assistant", parts=turn.parts)


def _heard(clip: StoredClip) -> AudioPart:
    return AudioPart(sha256=clip.sha256, seconds=clip.seconds)


def _user(parts: tuple[TextPart | AudioPart, ...], *, before: str | None) -> Message:
    return Message(role="user", parts=(TextPart(text=before), *parts) if before else parts)


def _broken(session: Session, what: str) -> ConstructionError:
    return ConstructionError(
        f"session {what}",
        item=session.session_id,
        stage="messages",
        remedy="rebuild the session, or correct the imported file",
    )
