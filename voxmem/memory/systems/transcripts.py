"""Transcripts as a memory: what was said, with or without whose voice said it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from voxmem.memory.estimate import VOICES, WORDS, Estimate, estimate
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession, HeardTurn
from voxmem.memory.systems.voices import Label, Labels, labels_of
from voxmem.messages import TextPart, ToldSession, ToldTurn

NOTHING = "(nothing was understood)"
"""In place of words where none were recognised."""


@dataclass(frozen=True)
class Transcripts:
    """The words of some sessions of a history and of its query; if ``bound``, also the voices.

    A :class:`~voxmem.memory.systems.kept.Kept`.
    """

    heard: HeardHistory
    """Cut down by :func:`words_of` or :func:`voices_of`: nothing else is there to be used."""
    of: int
    bound: bool = False

    def sessions(self) -> tuple[ToldSession, ...]:
        labels = self._labels
        return tuple(map(told, self.heard.sessions, labels.sessions))

    def query(self) -> str:
        return said(self.heard.query, self._labels.asker)

    def estimate(self) -> Estimate:
        return estimate(self.heard, VOICES if self.bound else WORDS)

    @cached_property
    def _labels(self) -> Labels:
        if self.bound:
            return labels_of(self.heard)
        return Labels(tuple((None,) * len(each.user_turns) for each in self.heard.sessions), None)


def told(session: HeardSession, labels: Sequence[Label]) -> ToldSession:
    """A session as text. ``labels``: one a user turn."""
    voices = iter(labels)
    return ToldSession(
        timestamp=session.timestamp,
        turns=tuple(
            ToldTurn(
                role=turn.role,
                parts=(TextPart(text=said(turn, next(voices) if turn.role == "user" else None)),),
            )
            for turn in session.turns
        ),
    )


def said(turn: HeardTurn, label: Label) -> str:
    """The words of a turn, after whose they are ("Voice A: …")."""
    words = turn.words or NOTHING
    return f"{label}: {words}" if label else words


def words_of(heard: HeardHistory) -> HeardHistory:
    """The words alone, as if they had been read."""
    return _each_turn(heard, lambda turn: ())


def voices_of(heard: HeardHistory) -> HeardHistory:
    """Words and speaker embeddings: neither how anything was said nor what was heard behind it."""
    return _each_turn(heard, lambda turn: tuple(map(_voice_alone, turn.clips)))


def at(heard: HeardHistory, places: Iterable[int]) -> HeardHistory:
    """The sessions at some places of a history, in that order."""
    return heard.model_copy(update={"sessions": tuple(heard.sessions[place] for place in places)})


def _voice_alone(clip: HeardClip) -> HeardClip:
    return clip.model_copy(update={"prosody": None, "stress": None, "sounds": {}})


def _each_turn(
    heard: HeardHistory, clips_of: Callable[[HeardTurn], tuple[HeardClip, ...]]
) -> HeardHistory:
    def cut(turn: HeardTurn) -> HeardTurn:
        return turn.model_copy(update={"clips": clips_of(turn)})

    return heard.model_copy(
        update={
            "sessions": tuple(
                session.model_copy(update={"turns": tuple(map(cut, session.turns))})
                for session in heard.sessions
            ),
            "query": cut(heard.query),
        }
    )
