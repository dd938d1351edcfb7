"""``summary``: after each session a few facts and who spoke are noted, and its audio is forgotten.

The writer of the notes does not know what will be asked. It notes what was said and by whom: how it
was said, and what was heard behind it, is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from voxmem.memory.estimate import VOICES, Estimate, estimate
from voxmem.memory.heard import HeardHistory
from voxmem.memory.systems.notes import noted
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.summarising import SummarisingMemory
from voxmem.memory.systems.transcripts import said
from voxmem.memory.systems.voices import Label, labels_of
from voxmem.messages import Conversation, ToldSession
from voxmem.models.registry import Candidate
from voxmem.semantics import Episode
from voxmem.semantics.view import Statement, Unknown

MOST = 4
"""Facts that are noted of a session."""


@dataclass(frozen=True)
class Summary:
    """Keeps the notes of every session. A :class:`~voxmem.memory.systems.memory.Memory`."""

    most: int = MOST
    """Facts a session."""
    name: ClassVar[str] = "summary"
    version: ClassVar[int] = 1

    @property
    def settings(self) -> tuple[int, ...]:
        return (self.most,)

    def keep(self, told: Conversation, heard: HeardHistory) -> FactNotes:
        whole = estimate(heard, VOICES)
        labels = labels_of(whole)
        return FactNotes(
            notes=tuple(note(episode, self.most) for episode in whole.episodes),
            voices=labels.sessions,
            asker=whole.asker,
            question=said(heard.query, labels.asker),
        )


@dataclass(frozen=True)
class FactNotes:
    """Facts and voices, session by session. A :class:`~voxmem.memory.systems.kept.Kept`."""

    notes: tuple[Episode, ...]
    voices: tuple[Label, ...]
    """Whose session it was."""
    asker: str
    question: str

    @property
    def of(self) -> int:
        return len(self.notes)

    def sessions(self) -> tuple[ToldSession, ...]:
        return tuple(
            noted(episode.timestamp, voice, written(episode))
            for episode, voice in zip(self.notes, self.voices, strict=True)
        )

    def query(self) -> str:
        return self.question

    def estimate(self) -> Estimate:
        return Estimate(self.notes, self.asker)


def note(episode: Episode, most: int) -> Episode:
    """What the notes of a session hold: the last thing said of each attribute, ``most`` of them."""
    facts = _last_of_each(episode.statements)[-most:]
    first, *_ = episode.utterances
    return replace(episode, utterances=(replace(first, statements=facts),))


def written(episode: Episode) -> str:
    """The notes of a session in words."""
    about = ", ".join(sorted(episode.entities)) or episode.topic or "nothing in particular"
    facts = [
        f"{item.entity}: {item.attribute} {item.value}"
        for item in episode.statements
        if not isinstance(item.value, Unknown)
    ]
    return "; ".join((f"about {about}", *facts)) + "."


def _last_of_each(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    latest = {(item.entity, item.attribute): item for item in statements}
    return tuple(item for item in statements if latest[item.entity, item.attribute] is item)


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(Summary())


def over_model(model: Candidate) -> SummarisingMemory:
    """Notes by a model, which is asked about them."""
    return SummarisingMemory(model)
