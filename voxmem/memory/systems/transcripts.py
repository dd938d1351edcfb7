"""Transcripts as a memory: what was said, with or without whose voice said it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from voxmem.memory.estimate import WORDS, Estimate, estimate
from voxmem.memory.heard import HeardHistory, HeardSession, HeardTurn
from voxmem.memory.systems.voices import Label, Labels, labels_of
from voxmem.messages import TextPart, ToldSession, ToldTurn

NOTHING = "(nothing was understood)"
"""In place of words where none were recognised."""


@dataclass(frozen=True)
class Transcripts:
    """The words of some sessions of a history and of its query.

    A :class:`~voxmem.memory.systems.kept.Kept`.
    """

    heard: HeardHistory
    """Cut down by :func:`words_of`: there is nothing else in it."""
    of: int
    bound: Estimate | None = None
    """Whose words they are, where that is kept: words and voices, and all else unknown."""

    def sessions(self) -> tuple[ToldSession, ...]:
        return tuple(map(told, self.heard.sessions, self._labels.sessions))

    def query(self) -> str:
        return said(self.heard.query, self._labels.asker)

    def estimate(self) -> Estimate:
        return self.bound or estimate(self.heard, WORDS)

    @cached_property
    def _labels(self) -> Labels:
        if self.bound is None:
            return Labels((None,) * len(self.heard.sessions), None)
        return labels_of(self.bound)


def told(session: HeardSession, voice: Label) -> ToldSession:
    """A session as text."""
    return ToldSession(
        timestamp=session.timestamp,
        turns=tuple(
            ToldTurn(
                role=turn.role,
                parts=(TextPart(text=said(turn, voice if turn.role == "user" else None)),),
            )
            for turn in session.turns
        ),
    )


def said(turn: HeardTurn, voice: Label) -> str:
    """The words of a turn, after whose they are ("Voice A: …")."""
    words = turn.words or NOTHING
    return f"{voice}: {words}" if voice else words


def words_of(heard: HeardHistory) -> HeardHistory:
    """The words alone, as if they had been read."""
    return heard.model_copy(
        update={
            "sessions": tuple(
                session.model_copy(update={"turns": tuple(map(_read, session.turns))})
                for session in heard.sessions
            ),
            "query": _read(heard.query),
        }
    )


def at(heard: HeardHistory, places: Iterable[int]) -> HeardHistory:
    """The sessions at some places of a history, in that order."""
    return heard.model_copy(update={"sessions": tuple(heard.sessions[place] for place in places)})


def _read(turn: HeardTurn) -> HeardTurn:
    return turn.model_copy(update={"clips": ()})
