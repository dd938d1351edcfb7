"""What perception made of a told conversation: words, voices, deliveries and sounds as *measured*.

Nothing here was annotated by anybody. A memory system keeps these records, and forgets the audio.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import ConfigDict

from voxmem.memory.stress import Stress
from voxmem.quality.hearing.prosody import Prosody
from voxmem.records import Record


class HeardClip(Record):
    """One recording, perceived once."""

    # A measure that does not exist, as F0 without a voiced frame, is NaN.
    model_config = ConfigDict(ser_json_inf_nan="constants")

    words: str
    """What the recogniser heard; empty for silence."""
    seconds: float
    """Length of the recording."""
    spoken_seconds: float
    """From the first to the last sound; 0 for silence."""
    voice: tuple[float, ...] | None
    """The speaker embedding, [192], of length 1; ``None`` for silence."""
    prosody: Prosody | None
    """Measures of how it is said; ``None`` for silence."""
    stress: Stress | None
    """How far its most stressed stretch stands out; ``None`` for silence."""
    sounds: Mapping[str, float]
    """Sound event → the classifier's evidence for it, a mean logit; empty for silence."""


class HeardTurn(Record):
    """One turn, in the order of its parts."""

    role: Literal["user", "assistant"]
    words: str
    """What was read (text parts) or recognised (clips), joined by blanks."""
    clips: tuple[HeardClip, ...] = ()
    """Its recordings: none for text, so that nothing but words was heard."""


class HeardSession(Record):
    """One session: when it was, and its turns."""

    timestamp: datetime
    turns: tuple[HeardTurn, ...]

    @property
    def user_turns(self) -> tuple[HeardTurn, ...]:
        return tuple(turn for turn in self.turns if turn.role == "user")

    @property
    def clips(self) -> tuple[HeardClip, ...]:
        """All recordings, in order."""
        return tuple(clip for turn in self.turns for clip in turn.clips)


class HeardHistory(Record):
    """A conversation as it was heard: what a memory is made of."""

    sessions: tuple[HeardSession, ...]
    """In the order in which they were told."""
    query_timestamp: datetime
    query: HeardTurn
