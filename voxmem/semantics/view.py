"""What an observer of a history knows: episodes, and what a mask hides from them.

Three things that are easily confused are kept apart: a sound can be *absent* (there is none), a
delivery can be *neutral* (there is no cue), and anything can be *unknown* (hidden by a mask).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, StrEnum
from typing import Literal

from voxmem.records import Fact, Placement, Session, Turn, Value
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import CUE_DIMENSIONS

CANCELLED = "cancelled"
"""What a fact reads as once it is called off."""


class Missing(Enum):
    """Known not to be there."""

    ABSENT = "absent"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class Unknown:
    """Hidden: it may be anything that its kind allows."""

    kind: Literal["voice", "cue", "sound", "text", "number", "referent"]
    dimension: str = ""
    """For a cue: its dimension. For a fact: its attribute."""


class Channel(StrEnum):
    """What can be hidden from an observer."""

    WORDS = "words"
    """The values of stated facts."""
    REFERENT = "referent"
    """Which thing is meant, where only its spoken name is heard."""
    SPEAKER = "speaker"
    DELIVERY = "delivery"
    SOUND = "sound"


CHANNEL_OF: Mapping[EvidenceType, Channel] = {
    EvidenceType.SPEECH_SEMANTICS: Channel.WORDS,
    EvidenceType.SPEAKER_IDENTITY: Channel.SPEAKER,
    EvidenceType.PARALINGUISTIC: Channel.DELIVERY,
    EvidenceType.ENVIRONMENTAL: Channel.SOUND,
}

TRANSCRIPT_MASK: frozenset[Channel] = frozenset(Channel) - {Channel.WORDS}
"""What a perfect reader of transcripts cannot know."""


@dataclass(frozen=True)
class Statement:
    """A fact as it is observed."""

    entity: str
    referent: str | Unknown
    attribute: str
    value: Value | Unknown
    """``CANCELLED`` if that is what was said of it."""
    effective: datetime


@dataclass(frozen=True)
class Utterance:
    """One user turn as it is observed."""

    speaker: str | Unknown
    cues: Mapping[str, str | Missing | Unknown]
    """Dimension → value, for every dimension."""
    sound: str | Missing | Unknown
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Episode:
    """One session at its place in time, as it is observed."""

    session_id: str
    timestamp: datetime
    topic: str
    entities: frozenset[str]
    utterances: tuple[Utterance, ...]


def observe(session: Session, timestamp: datetime) -> Episode:
    """A session with all its annotations in view."""
    utterances = tuple(_utterance(turn, timestamp) for turn in session.user_turns)
    spoken = {fact.entity for turn in session.user_turns for fact in turn.facts}
    return Episode(
        session_id=session.session_id,
        timestamp=timestamp,
        topic=session.topic,
        entities=frozenset(session.entities) | spoken,
        utterances=utterances,
    )


def observe_all(
    placements: Iterable[Placement], sessions: Mapping[str, Session]
) -> tuple[Episode, ...]:
    """The placed sessions of a history, in order of time."""
    episodes = (observe(sessions[place.session_id], place.timestamp) for place in placements)
    return tuple(sorted(episodes, key=lambda episode: (episode.timestamp, episode.session_id)))


def _utterance(turn: Turn, timestamp: datetime) -> Utterance:
    cues: dict[str, str | Missing | Unknown] = dict.fromkeys(CUE_DIMENSIONS, Missing.NEUTRAL)
    cues.update({cue.dimension: cue.value for cue in turn.cues})
    return Utterance(
        speaker=turn.speaker or Unknown("voice"),
        cues=cues,
        sound=turn.sound or Missing.ABSENT,
        statements=tuple(_statement(fact, timestamp) for fact in turn.facts),
    )


def _statement(fact: Fact, timestamp: datetime) -> Statement:
    return Statement(
        entity=fact.entity,
        referent=fact.referent,
        attribute=fact.attribute,
        value=CANCELLED if fact.status == "cancelled" else fact.value,
        effective=fact.effective or timestamp,
    )


def mask(episodes: Sequence[Episode], channels: Iterable[Channel]) -> tuple[Episode, ...]:
    """The same episodes with every value of the given channels unknown."""
    hidden = frozenset(channels)
    return tuple(
        replace(
            episode,
            utterances=tuple(_hide(utterance, hidden) for utterance in episode.utterances),
        )
        for episode in episodes
    )


def _hide(utterance: Utterance, hidden: frozenset[Channel]) -> Utterance:
    return Utterance(
        speaker=Unknown("voice") if Channel.SPEAKER in hidden else utterance.speaker,
        cues={dimension: Unknown("cue", dimension) for dimension in utterance.cues}
        if Channel.DELIVERY in hidden
        else utterance.cues,
        sound=Unknown("sound") if Channel.SOUND in hidden else utterance.sound,
        statements=tuple(_hide_statement(item, hidden) for item in utterance.statements),
    )


def _hide_statement(statement: Statement, hidden: frozenset[Channel]) -> Statement:
    value = statement.value
    if Channel.WORDS in hidden:
        kind: Literal["number", "text"] = "number" if isinstance(value, int) else "text"
        value = Unknown(kind, statement.attribute)
    referent = Unknown("referent") if Channel.REFERENT in hidden else statement.referent
    return replace(statement, value=value, referent=referent)
