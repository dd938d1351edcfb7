"""Voices as a reader is told of them: "Voice A", "Voice B", in order of first appearance."""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.memory.estimate import NOBODY, Estimate
from voxmem.semantics import Episode

Label = str | None
"""``None`` where no voice was heard."""


@dataclass(frozen=True)
class Labels:
    """Whose voice is heard: a session is one person's."""

    sessions: tuple[Label, ...]
    asker: Label


def labels_of(found: Estimate) -> Labels:
    """The voices of a history and of its query."""
    speakers = [_speaker(episode) for episode in found.episodes]
    speakers.append(found.asker if found.asker != NOBODY else None)
    known = dict.fromkeys(speaker for speaker in speakers if speaker is not None)
    names = {speaker: f"Voice {letters(number)}" for number, speaker in enumerate(known)}
    *sessions, asker = [names.get(speaker or "") for speaker in speakers]
    return Labels(tuple(sessions), asker)


def letters(number: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    more, last = divmod(number, 26)
    return (letters(more - 1) if more else "") + chr(ord("A") + last)


def _speaker(episode: Episode) -> str | None:
    heard = (turn.speaker for turn in episode.utterances)
    return next((speaker for speaker in heard if isinstance(speaker, str)), None)
