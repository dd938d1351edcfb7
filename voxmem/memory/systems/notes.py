"""Notes as a memory: a few lines a session and who spoke, written before anything is asked."""

from __future__ import annotations

from datetime import datetime

from voxmem.memory.systems.voices import Label
from voxmem.messages import TextPart, ToldSession, ToldTurn


def noted(moment: datetime, voice: Label, text: str) -> ToldSession:
    """A session of which notes are left, as a model is told it: in place of the user's turns who
    spoke, and the notes as the assistant's own text. The two sides alternate as in any session.
    """
    return ToldSession(
        timestamp=moment,
        turns=(
            ToldTurn(role="user", parts=(TextPart(text=f"{voice or 'Someone'} spoke to you."),)),
            ToldTurn(role="assistant", parts=(TextPart(text=f"My notes: {text}"),)),
        ),
    )
