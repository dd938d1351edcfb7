"""Voices as a reader is told of them: "Voice A", "Voice B", in order of first appearance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from voxmem.memory.estimate import VOICES, estimate
from voxmem.memory.heard import HeardHistory, HeardSession
from voxmem.semantics import Episode

Label = str | None
"""``None`` where no voice was heard."""


@dataclass(frozen=True)
class Labels:
    """Whose voice is heard, turn by turn."""

    sessions: tuple[tuple[Label, ...], ...]
    """For each session, one a user turn."""
    asker: Label


def labels_of(heard: HeardHistory) -> Labels:
    """The voices of a history and of its query.

    A session is taken for one person's, as the estimate takes it; if it finds several in one, the
    turns of that session are compared one by one.
    """
    whole = estimate(heard, VOICES)
    pieces = [
        [session] if len(_speakers(episode)) < 2 else _turn_by_turn(session)
        for session, episode in zip(heard.sessions, whole.episodes, strict=True)
    ]
    flat = tuple(piece for session in pieces for piece in session)
    found = (
        whole
        if len(flat) == len(pieces)
        else estimate(heard.model_copy(update={"sessions": flat}), VOICES)
    )
    names = _Names()
    labels = iter([names.of(_speakers(episode)) for episode in found.episodes])
    sessions = tuple(
        tuple(label for piece in session for label in [next(labels)] * len(piece.user_turns))
        for session in pieces
    )
    return Labels(sessions, names.of([found.asker] if heard.query.clips else []))


def distinct(labels: Iterable[Label]) -> tuple[str, ...]:
    """The different voices of a session, in order."""
    return tuple(dict.fromkeys(label for label in labels if label))


class _Names:
    """Gives out names, the same for the same voice."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, speakers: Iterable[str]) -> Label:
        speaker = next(iter(speakers), None)
        if speaker is None:
            return None
        return self._given.setdefault(speaker, f"Voice {letters(len(self._given))}")


def letters(number: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    more, last = divmod(number, 26)
    return (letters(more - 1) if more else "") + chr(ord("A") + last)


def _speakers(episode: Episode) -> list[str]:
    """The different voices of an episode, in order."""
    heard = (turn.speaker for turn in episode.utterances if isinstance(turn.speaker, str))
    return list(dict.fromkeys(heard))


def _turn_by_turn(session: HeardSession) -> list[HeardSession]:
    return [session.model_copy(update={"turns": (turn,)}) for turn in session.user_turns]
