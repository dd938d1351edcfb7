"""What a system under test is given of an item, and nothing more: a typed view.

No annotation can be reached from here. A system that reasons with our semantics is also given what
is asked, as a query; never what the answer is, which sessions hold it, or what was said.
"""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.keys import key
from voxmem.messages import Conversation
from voxmem.models.audio import ReadAudio
from voxmem.query import Query


@dataclass(frozen=True)
class Told:
    """One item as an arm tells it."""

    item_id: str
    """For messages and seeds; it says nothing of the answer."""
    conversation: Conversation
    read_audio: ReadAudio
    """SHA-256 of a clip of the conversation → its stored bytes."""
    meaning: Query | None = None
    """What is asked, in the algebra; ``None`` for imported questions."""

    @property
    def request_hash(self) -> str:
        """The key of what is told."""
        return key(self.conversation)
