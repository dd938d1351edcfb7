"""What an observer of a history knows: episodes, and what a mask hides from them.

Three things that are easily confused are kept apart: a sound can be *absent* (there is none), a
delivery can be *neutral* (there is no cue), and anything can be *unknown* (hidden by a mask).

A session is one person talking in one place. So its turns are seen together, as one *utterance*:
whoever cannot tell voices apart still knows that it is one voice, and whoever cannot hear how
things are said still knows that they are said in one way. Only where turns truly differ — two
voices, two sounds, two cues in one dimension — does a session have several utterances. What is
hidden is hidden per utterance, so that what is true remains possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, StrEnum
from functools import cached_property
from typing import Literal

from voxmem.records import Cue, Fact, Placement, Session, Turn, Value
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import CUE_DIMENSIONS, SOUNDS

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


Observed = str | Missing | Unknown
"""A cue or a sound as it is observed."""


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
    """Those turns of a session whose voice, cues and sound are not told apart, as one."""

    speaker: str | Unknown
    cues: Mapping[str, Observed]
    """Dimension → value, for every dimension."""
    sound: Observed
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Episode:
    """One session at its place in time, as it is observed."""

    session_id: str
    timestamp: datetime
    topic: str
    entities: frozenset[str]
    utterances: tuple[Utterance, ...]

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Everything that is stated, in the order in which it is."""
        return tuple(item for turn in self.utterances for item in turn.statements)


def at_level(event: str, level: str) -> str:
    """A sound event seen at a level of the hierarchy event → category → scene. One outside the
    vocabulary is a category and a scene of its own."""
    if level == "event" or event not in SOUNDS:
        return event
    category, scene = SOUNDS[event]
    return category if level == "category" else scene


# --- observation ------------------------------------------------------------------------------


def observe(session: Session, timestamp: datetime) -> Episode:
    """A session with all its annotations in view."""
    turns = session.user_turns
    spoken = [fact.entity for turn in turns for fact in turn.facts]
    return Episode(
        session_id=session.session_id,
        timestamp=timestamp,
        topic=session.topic,
        entities=frozenset((*session.entities, *spoken)),
        utterances=_utterances(turns, timestamp),
    )


def observe_all(
    placements: Iterable[Placement], sessions: Mapping[str, Session]
) -> tuple[Episode, ...]:
    """The placed sessions of a history, in order of time."""
    return in_order(observe(sessions[place.session_id], place.timestamp) for place in placements)


def in_order(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    """Episodes in order of time."""
    return tuple(sorted(episodes, key=lambda episode: (episode.timestamp, episode.session_id)))


def _statement(fact: Fact, timestamp: datetime) -> Statement:
    return Statement(
        entity=fact.entity,
        referent=fact.referent,
        attribute=fact.attribute,
        value=CANCELLED if fact.status == "cancelled" else fact.value,
        effective=fact.effective or timestamp,
    )


_NEUTRAL: Mapping[str, Observed] = dict.fromkeys(CUE_DIMENSIONS, Missing.NEUTRAL)
_VOICE, _SOUND = Unknown("voice"), Unknown("sound")
_STATED = frozenset({Channel.WORDS, Channel.REFERENT})
_CUES: Mapping[str, Observed] = {name: Unknown("cue", name) for name in CUE_DIMENSIONS}


@dataclass
class _Part:
    """An utterance in the making."""

    speaker: str | Unknown
    sound: Observed
    cues: dict[str, Observed]
    statements: tuple[Statement, ...] = ()

    def takes(self, turn: Turn, cue: Cue | None) -> bool:
        """Whether a turn, or one cue of it, contradicts nothing in this part."""
        return (
            self.speaker == (turn.speaker or _VOICE)
            and (self.sound is Missing.ABSENT or turn.sound in (None, self.sound))
            and (cue is None or self.cues[cue.dimension] in (Missing.NEUTRAL, cue.value))
        )


def _utterances(turns: Sequence[Turn], timestamp: datetime) -> tuple[Utterance, ...]:
    """Voices, cues and sounds of the session stay what they are, and so does the order of what is
    stated: a turn that states something goes with the part before it, or begins a new one."""
    parts: list[_Part] = []
    before: Turn | None = None
    for turn in turns:
        same = before and turn.speaker == before.speaker and turn.sound == before.sound
        if same and not turn.cues and not turn.facts:
            continue  # it adds nothing to the one before
        before = turn
        part = _part(parts, parts[-1:] if turn.facts else parts, turn, None)
        part.statements += tuple([_statement(fact, timestamp) for fact in turn.facts])
        for cue in turn.cues:
            _part(parts, parts, turn, cue).cues[cue.dimension] = cue.value
    return tuple(
        [Utterance(part.speaker, part.cues, part.sound, part.statements) for part in parts]
    )


def _part(parts: list[_Part], allowed: list[_Part], turn: Turn, cue: Cue | None) -> _Part:
    """The first part that takes a turn, or a new one."""
    for part in allowed:
        if part.takes(turn, cue):
            part.sound = turn.sound or part.sound
            return part
    new = _Part(turn.speaker or _VOICE, turn.sound or Missing.ABSENT, dict(_NEUTRAL))
    parts.append(new)
    return new


# --- masks ------------------------------------------------------------------------------------


def mask(episodes: Iterable[Episode], channels: Iterable[Channel]) -> tuple[Episode, ...]:
    """The same episodes with every value of the given channels unknown."""
    hidden = frozenset(channels)
    return tuple(
        Episode(
            session_id=episode.session_id,
            timestamp=episode.timestamp,
            topic=episode.topic,
            entities=episode.entities,
            utterances=tuple([_hide(item, hidden) for item in episode.utterances]),
        )
        for episode in episodes
    )


def _hide(utterance: Utterance, hidden: frozenset[Channel]) -> Utterance:
    return Utterance(
        speaker=_VOICE if Channel.SPEAKER in hidden else utterance.speaker,
        cues=_CUES if Channel.DELIVERY in hidden else utterance.cues,
        sound=_SOUND if Channel.SOUND in hidden else utterance.sound,
        statements=tuple([_hide_statement(item, hidden) for item in utterance.statements])
        if hidden & _STATED
        else utterance.statements,
    )


def _hide_statement(statement: Statement, hidden: frozenset[Channel]) -> Statement:
    value = statement.value
    if Channel.WORDS in hidden and not isinstance(value, Unknown):
        kind: Literal["number", "text"] = "number" if isinstance(value, int) else "text"
        value = Unknown(kind, statement.attribute)
    referent = Unknown("referent") if Channel.REFERENT in hidden else statement.referent
    return replace(statement, value=value, referent=referent)
