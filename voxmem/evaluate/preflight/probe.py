"""Probe conversations: recordings in sessions of their own, and a question about them in text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from voxmem.evaluate.preflight.booth import Recording
from voxmem.messages import AudioPart, Conversation, TextPart, ToldSession, ToldTurn
from voxmem.models.outcome import Reply

SYSTEM = (
    "The user leaves recordings in several sessions; each says what its code word is. "
    "Answer the last question with one word, the code word that is asked for, and nothing else."
)
REPLY = "Thank you, I will remember it."
_FIRST = datetime(2025, 1, 1, 9, 0)


def moment(place: int) -> datetime:
    """When the session of a place, counted from 0, was."""
    return _FIRST + timedelta(days=place)


def conversation(
    recordings: Sequence[Recording], question: str, *, system: str = SYSTEM, replied: bool = True
) -> Conversation:
    """A session for each recording, then the question.

    Args:
        replied: Whether the last session has a reply. Without one, two user turns follow each
            other.
    """
    last = len(recordings) - 1
    return Conversation(
        system=system,
        sessions=tuple(
            _session(place, recording, replied=replied or place < last)
            for place, recording in enumerate(recordings)
        ),
        query_timestamp=moment(len(recordings)),
        query=(TextPart(text=question),),
    )


def question_of(place: int) -> str:
    """What was said in the session of a place, counted from 0?"""
    return (
        f"Which code word was said in the session of {moment(place):%Y-%m-%d %H:%M}? "
        "Answer with that word alone."
    )


def says(reply: Reply, word: str) -> bool:
    """Whether a reply names the word."""
    return word in re.findall(r"[a-z]+", (reply.text or "").lower())


def _session(place: int, recording: Recording, *, replied: bool) -> ToldSession:
    heard = AudioPart(sha256=recording.sha256, seconds=recording.seconds)
    turns = [ToldTurn(role="user", parts=(heard,))]
    if replied:
        turns.append(ToldTurn(role="assistant", parts=(TextPart(text=REPLY),)))
    return ToldSession(timestamp=moment(place), turns=tuple(turns))
