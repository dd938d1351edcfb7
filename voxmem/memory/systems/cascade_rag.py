"""``cascade-rag``: transcripts, of which those are read that match the words of the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from voxmem.memory.heard import HeardHistory, HeardSession
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.bm25 import K1, B, bm25
from voxmem.memory.systems.dense import DIRECTIONS, similarities
from voxmem.memory.systems.ranking import FACTOR, SMOOTHING, best, fused, kept_of
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.transcripts import Transcripts, at, words_of
from voxmem.messages import Conversation
from voxmem.models.registry import Candidate
from voxmem.quality.hearing.words import normal_words


@dataclass(frozen=True)
class CascadeRag:
    """Keeps the transcripts of the sessions that retrieval finds, in order of time.

    Two rankings of sessions by the query's transcript, BM25 over words and cosines in a latent
    space, are fused by reciprocal rank. A :class:`~voxmem.memory.systems.memory.Memory`.
    """

    factor: float = FACTOR
    """See :func:`~voxmem.memory.systems.ranking.kept_of`."""
    name: ClassVar[str] = "cascade-rag"
    version: ClassVar[int] = 1

    @property
    def settings(self) -> tuple[float, ...]:
        return (self.factor, K1, B, DIRECTIONS, SMOOTHING)

    def keep(self, told: Conversation, heard: HeardHistory) -> Transcripts:
        places = retrieved(heard, kept_of(len(heard.sessions), self.factor))
        return Transcripts(words_of(at(heard, places)), of=len(heard.sessions))


def retrieved(heard: HeardHistory, count: int) -> list[int]:
    """The places of the ``count`` sessions that match the query's words best, in order."""
    texts = [_text(session) for session in heard.sessions]
    query = heard.query.words
    sparse = bm25([normal_words(text) for text in texts], normal_words(query))
    return best(fused(sparse, similarities(texts, query)), count)


def _text(session: HeardSession) -> str:
    return "\n".join(turn.words for turn in session.turns)


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(CascadeRag())


def over_model(model: Candidate) -> AskingMemory:
    """The memory, and a model that is asked about it."""
    return AskingMemory(CascadeRag(), model)
