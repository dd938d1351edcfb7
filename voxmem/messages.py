"""A history and a question as the turns that every model is given (VoxMem, Appendix C.2).

One system text; then, session by session, user turns as audio and assistant turns as text; last the
spoken query. The first user turn of a session, and the query, are preceded by the time at which
they were spoken: nothing else marks where a session begins. What a user said is never given as
text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from voxmem.errors import ConstructionError
from voxmem.records import Clip, Record, Session

Delivery = Literal["native", "folded"]
"""How the system text is given: as a system turn, or as the first text of the first user turn, for
models whose chat template drops a system turn."""

SpokenSession = tuple[Session, datetime, tuple[Clip, ...]]
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


def build_messages(
    system: str,
    sessions: Sequence[SpokenSession],
    query_timestamp: datetime,
    question_clip: Clip,
    *,
    delivery: Delivery = "native",
) -> tuple[Message, ...]:
    """The conversation that ends with the spoken query.

    Args:
        system: The candidate prompt.
        sessions: The history in order of time; it may be empty.
        query_timestamp: The present time, given before the query.
        question_clip: The spoken query.
        delivery: Where the system text goes.

    Raises:
        ConstructionError: The system text is blank, a session has no valid structure (see
            :func:`check_session`), or time does not run forward. Sessions are named.
    """
    if not system.strip():
        raise ConstructionError(
            "the system text is blank", stage="messages", remedy="give the candidate prompt's text"
        )
    check_order(sessions, query_timestamp)
    turns = [message for spoken in sessions for message in _session_messages(*spoken)]
    turns.append(_user(question_clip, before=timestamp_text(query_timestamp)))
    instruction = TextPart(text=system)
    if delivery == "native":
        return (Message(role="system", parts=(instruction,)), *turns)
    return (Message(role="user", parts=(instruction, *turns[0].parts)), *turns[1:])


def timestamp_text(moment: datetime) -> str:
    """The line that precedes a session or the query, to the minute."""
    return f"Session timestamp: {moment:%Y-%m-%d %H:%M}"


def check_session(session: Session, clips: Sequence[Clip]) -> None:
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


def _session_messages(
    session: Session, moment: datetime, clips: tuple[Clip, ...]
) -> Iterator[Message]:
    check_session(session, clips)
    spoken = iter(clips)
    for index, turn in enumerate(session.turns):
        if turn.role == "user":
            yield _user(next(spoken), before=timestamp_text(moment) if index == 0 else None)
        else:
            yield Message(role="assistant", parts=(TextPart(text=turn.text),))


def _user(clip: Clip, *, before: str | None) -> Message:
    audio = AudioPart(sha256=clip.sha256, seconds=clip.seconds)
    return Message(role="user", parts=(TextPart(text=before), audio) if before else (audio,))


def _broken(session: Session, what: str) -> ConstructionError:
    return ConstructionError(
        f"session {what}",
        item=session.session_id,
        stage="messages",
        remedy="rebuild the session, or correct the imported file",
    )
