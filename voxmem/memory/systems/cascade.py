"""``cascade``: speech recognition, and nothing but its transcripts afterwards."""

from __future__ import annotations

from voxmem.memory.heard import HeardHistory
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.transcripts import Transcripts, words_of
from voxmem.messages import Conversation
from voxmem.models.registry import Candidate


class Cascade:
    """Keeps every transcript. A :class:`~voxmem.memory.systems.memory.Memory`."""

    name = "cascade"
    version = 1
    settings: tuple[str, ...] = ()

    def keep(self, told: Conversation, heard: HeardHistory) -> Transcripts:
        return Transcripts(words_of(heard), of=len(heard.sessions))


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(Cascade())


def over_model(model: Candidate) -> AskingMemory:
    """The memory, and a model that is asked about it."""
    return AskingMemory(Cascade(), model)
