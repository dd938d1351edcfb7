"""``cascade-rag``: transcripts, of which those are read that match the words of the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from voxmem.memory.heard import HeardHistory, HeardTurn
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.bm25 import K1, B, bm25
from voxmem.memory.systems.content import content_words
from voxmem.memory.systems.dense import DIRECTIONS, similarities
from voxmem.memory.systems.ranking import FACTOR, SMOOTHING, best, fused, kept_of
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.transcripts import Transcripts, at, words_of
from voxmem.messages import Conversation
from voxmem.models.registry import Candidate


@dataclass(frozen=True)
class CascadeRag:
    """Keeps the transcripts of the sessions that retrieval finds, in order of time.

    Two rankings of sessions by the query's transcript, BM25 over words and cosines in a latent
    space, are fused by reciprocal rank. What the assistant said is not searched. A
    :class:`~voxmem.memory.systems.memory.Memory`.
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
    """The places of the ``count`` sessions whose users' words match the query's best, in order."""
    texts = [_said(session.user_turns) for session in heard.sessions]
    query = _said([heard.query])
    dense = similarities([" ".join(text) for text in texts], " ".join(query))
    return best(fused(bm25(texts, query), dense), count)


def _said(turns: Sequence[HeardTurn]) -> list[str]:
    return [word for turn in turns for word in content_words(turn.words)]


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(CascadeRag())


def over_model(model: Candidate) -> AskingMemory:
    """The memory, and a model that is asked about it."""
    return AskingMemory(CascadeRag(), model)
