"""``speaker-store``: transcripts, each bound to the voice that spoke it."""

from __future__ import annotations

from voxmem.memory.estimate import VOICES, estimate
from voxmem.memory.heard import HeardHistory
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.transcripts import Transcripts, words_of
from voxmem.messages import Conversation
from voxmem.models.registry import Candidate


class SpeakerStore:
    """Keeps every transcript under a voice, by speaker embedding; the query's may be one of them.

    How things were said, and what was heard behind them, is forgotten. A
    :class:`~voxmem.memory.systems.memory.Memory`.
    """

    name = "speaker-store"
    version = 1
    settings: tuple[str, ...] = ()

    def keep(self, told: Conversation, heard: HeardHistory) -> Transcripts:
        return Transcripts(words_of(heard), len(heard.sessions), estimate(heard, VOICES))


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(SpeakerStore())


def over_model(model: Candidate) -> AskingMemory:
    """The memory, and a model that is asked about it."""
    return AskingMemory(SpeakerStore(), model)
