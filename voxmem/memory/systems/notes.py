"""Notes as a memory: a few lines a session and who spoke, written before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from voxmem.messages import TextPart, ToldSession, ToldTurn


def noted(moment: datetime, voices: Sequence[str], text: str) -> ToldSession:
    """A session of which notes are left, as a model is told it: in place of the user's turns who
    spoke, and the notes as the assistant's own text. The two sides alternate as in any session.
    """
    return ToldSession(
        timestamp=moment,
        turns=(
            ToldTurn(role="user", parts=(TextPart(text=f"{listed(voices)} spoke to you."),)),
            ToldTurn(role="assistant", parts=(TextPart(text=f"My notes: {text}"),)),
        ),
    )


def listed(voices: Sequence[str]) -> str:
    """ "Voice A", "Voice A and Voice B"; "Someone" where no voice was heard."""
    *most, last = voices or ("Someone",)
    return f"{', '.join(most)} and {last}" if most else last
