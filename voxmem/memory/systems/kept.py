"""What a memory keeps of a history: a record that can be inspected, told and reasoned over."""

from __future__ import annotations

from typing import Protocol

from voxmem.memory.estimate import Estimate
from voxmem.messages import TextPart, ToldSession


class Kept(Protocol):
    """What is left of a history after a memory has forgotten the rest, as a model is told it."""

    @property
    def of(self) -> int:
        """Sessions that the history had."""
        ...

    def sessions(self) -> tuple[ToldSession, ...]:
        """The sessions of which something is kept, in order of time."""
        ...

    def query(self) -> str:
        """What was asked, as it was understood."""
        ...


class Estimated(Kept, Protocol):
    """What is left, also as the semantics reason over it."""

    def estimate(self) -> Estimate:
        """The episodes that are kept; unknown in them what was forgotten."""
        ...


def inventory(kept: Kept) -> str:
    """How much is kept ("kept 12 of 40 sessions, 3,120 characters, 25.0 s of audio")."""
    told = kept.sessions()
    parts = [part for session in told for turn in session.turns for part in turn.parts]
    characters = sum(len(part.text) for part in parts if isinstance(part, TextPart))
    seconds = sum(part.seconds for part in parts if not isinstance(part, TextPart))
    audio = f", {seconds:.1f} s of audio" if seconds else ""
    return f"kept {len(told)} of {kept.of} sessions, {characters:,} characters{audio}"
