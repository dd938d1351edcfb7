"""User turns told in writing: the audio conversation with other parts in the same places."""

from __future__ import annotations

from collections.abc import Callable

from voxmem.errors import UsageError
from voxmem.evaluate.arms import audio
from voxmem.messages import Conversation, TextPart, ToldSession
from voxmem.models.item import Item
from voxmem.records import Session, Turn

Write = Callable[[Turn], str]
"""A user turn → the text that stands for it."""


def written(item: Item, system: str, write: Write, query: str) -> Conversation:
    """The conversation in which every user turn is the text that ``write`` makes of it, and the
    query is ``query``. There is no audio in it, so that a text model can be asked.

    Raises:
        UsageError: The release does not have the words of a user turn, or of the question.
    """
    heard = audio.tell(item, system)
    places = item.history.placements
    _check(item, item.question.text, "the question")
    told = [
        _session(item, item.sessions[place.session_id], session, write)
        for place, session in zip(places, heard.sessions, strict=True)
    ]
    return heard.model_copy(update={"sessions": tuple(told), "query": (TextPart(text=query),)})


def _session(item: Item, session: Session, heard: ToldSession, write: Write) -> ToldSession:
    turns = list(heard.turns)
    for at, turn in enumerate(session.turns):
        if turn.role == "user":
            _check(item, turn.text, f"turn {at + 1} of session {session.session_id}")
            turns[at] = turns[at].model_copy(update={"parts": (TextPart(text=write(turn)),)})
    return heard.model_copy(update={"turns": tuple(turns)})


def _check(item: Item, text: str, what: str) -> None:
    if not text.strip():
        raise UsageError(
            f"the release does not say the words of {what}",
            item=item.item_id,
            stage="evaluate",
            remedy="choose an arm that tells audio",
        )
