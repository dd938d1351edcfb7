"""``audio-retrieval``: clips found by what they sound like, never by their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from voxmem.memory.estimate import Estimate, estimate
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.ranking import DIGITS, FACTOR, SMOOTHING, best, fused, kept_of
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.sound_words import sounds_asked_for
from voxmem.memory.systems.transcripts import Transcripts, at, words_of
from voxmem.messages import Conversation, ToldSession
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import Candidate
from voxmem.quality.hearing.sounds import SILENCE


@dataclass(frozen=True)
class AudioRetrieval:
    """Keeps the recordings of the sessions that an index of clip embeddings finds, in order of
    time, and hears everything in them.

    The index holds a speaker embedding and the sound classifier's evidence. Sessions are ranked by
    how like their voice is to the voice that asks, and if the question names sounds, by the
    evidence for those; the rankings are fused. Where neither tells them apart, the latest are kept.
    A :class:`~voxmem.memory.systems.memory.Memory`.
    """

    factor: float = FACTOR
    """See :func:`~voxmem.memory.systems.ranking.kept_of`."""
    aloud: bool = False
    """Whether a model that is asked is given the recordings; if not, their transcripts."""
    name: ClassVar[str] = "audio-retrieval"
    version: ClassVar[int] = 1

    @property
    def settings(self) -> tuple[float, ...]:
        return (self.factor, SMOOTHING, self.aloud)

    def keep(self, told: Conversation, heard: HeardHistory) -> Recordings:
        places = retrieved(heard, kept_of(len(heard.sessions), self.factor))
        return Recordings(
            heard=at(heard, places),
            recorded=tuple(told.sessions[place] for place in places),
            of=len(heard.sessions),
            aloud=self.aloud,
        )


@dataclass(frozen=True)
class Recordings:
    """Some sessions whole. A :class:`~voxmem.memory.systems.kept.Kept`."""

    heard: HeardHistory
    recorded: tuple[ToldSession, ...]
    """The same sessions, as they were told."""
    of: int
    aloud: bool

    def sessions(self) -> tuple[ToldSession, ...]:
        return self.recorded if self.aloud else self._read.sessions()

    def query(self) -> str:
        return self._read.query()

    def estimate(self) -> Estimate:
        return estimate(self.heard)

    @property
    def _read(self) -> Transcripts:
        return Transcripts(words_of(self.heard), self.of)


def retrieved(heard: HeardHistory, count: int) -> list[int]:
    """The places of the ``count`` sessions that sound most like what is asked, in order."""
    sessions = heard.sessions
    asking = _voice(heard.query.clips)
    alike = [_likeness(_voice(session.clips), asking) for session in sessions]
    events = sorted(sounds_asked_for(heard.query.words))
    return best(fused(alike, _evidence(sessions, events)), count)


def _voice(clips: Sequence[HeardClip]) -> NDArray[np.float64] | None:
    """The mean of their speaker embeddings, by how long each speaks, [192]."""
    spoken = [(clip.voice, clip.spoken_seconds) for clip in clips if clip.voice]
    if not spoken:
        return None
    voices, seconds = zip(*spoken, strict=True)
    return np.asarray(np.average(np.array(voices), axis=0, weights=seconds))


def _likeness(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> float:
    """The cosine of two voices; 0 where one was not heard."""
    if one is None or other is None:
        return 0.0
    cosine = one @ other / (np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.round(cosine, DIGITS))


def _evidence(sessions: Sequence[HeardSession], events: Sequence[str]) -> list[float]:
    """How far the likeliest of some events stands out in each session: in deviations of the
    event's evidence over this history, 0 where no event is named."""
    if not events or not sessions:
        return [0.0] * len(sessions)
    rows = np.array([[_loudest(session, event) for event in events] for session in sessions])
    spread = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    scores = ((rows - rows.mean(axis=0)) / spread).max(axis=1)
    return [float(score) for score in np.round(scores, DIGITS)]


def _loudest(session: HeardSession, event: str) -> float:
    return max((clip.sounds.get(event, SILENCE) for clip in session.clips), default=SILENCE)


def alone() -> ReasoningMemory:
    """The memory, reasoned over."""
    return ReasoningMemory(AudioRetrieval())


def over_model(model: Candidate) -> AskingMemory:
    """The memory, and a model that is asked about it: aloud, unless it is one of text alone or is
    not in the catalogue."""
    entry = catalogue().get(model.name)
    aloud = entry is not None and entry.group != "text"
    return AskingMemory(AudioRetrieval(aloud=aloud), model, query="audio" if aloud else "text")
