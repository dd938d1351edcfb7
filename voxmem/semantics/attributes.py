"""What can be read from one session, in one world."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from voxmem import query as q
from voxmem.records import Reason
from voxmem.semantics.completions import World
from voxmem.semantics.view import Episode, Missing, Statement, at_level

T = TypeVar("T")
Readable = str | int


class NoAnswer(Exception):
    """In this world the question has no unique answer."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True)
class Scope:
    """What an evaluation works on: the episodes in order of time, who asks, and the world."""

    episodes: tuple[Episode, ...]
    asker: str
    world: World
    voices: dict[int, str] = field(default_factory=dict, compare=False)
    """Those of reference sessions, once they are known."""


@dataclass(frozen=True)
class Item:
    """One value read from one session, with the moment from which it holds."""

    episode: Episode
    value: Readable
    since: datetime


def speaker(scope: Scope, episode: Episode) -> str:
    """The voice of an episode. Two voices in one session have no single speaker."""
    return _single(
        {
            str(scope.world.resolve((episode.session_id, "voice", index), turn.speaker))
            for index, turn in enumerate(episode.utterances)
        }
    )


def cues(scope: Scope, episode: Episode, dimension: str) -> set[str]:
    """The cues of one dimension that occur in an episode; empty if all its turns are neutral."""
    values = (
        scope.world.resolve((episode.session_id, dimension, index), turn.cues[dimension])
        for index, turn in enumerate(episode.utterances)
    )
    return {str(value) for value in values if not isinstance(value, Missing)}


def sounds(scope: Scope, episode: Episode, level: str) -> set[str]:
    """The sounds audible in an episode, at one level; empty if there is none."""
    values = (
        scope.world.resolve((episode.session_id, "sound", index), turn.sound)
        for index, turn in enumerate(episode.utterances)
    )
    return {at_level(str(value), level) for value in values if not isinstance(value, Missing)}


def standing(episode: Episode, attribute: str, entity: str | None) -> list[tuple[int, Statement]]:
    """What an episode leaves said of an attribute: the last statement about each entity, since a
    later one in the same session corrects the earlier."""
    last = {
        statement.entity: (index, statement)
        for index, statement in enumerate(episode.statements)
        if statement.attribute == attribute and entity in (None, statement.entity)
    }
    return list(last.values())


def stated_value(scope: Scope, episode: Episode, index: int, statement: Statement) -> Readable:
    """The value that an episode's statement of that number gives."""
    value = scope.world.resolve((episode.session_id, "value", index), statement.value)
    assert not isinstance(value, Missing)  # a fact that is not stated has no statement
    return value


HEARD: tuple[type[q.Term], ...] = (q.ReadCue, q.ReadSound)
"""Reads of what a session may lack though its words are there."""


def is_defined(scope: Scope, episode: Episode, read: q.Read | None) -> bool:
    """Whether an episode has something to read at all."""
    match read:
        case None:
            return True
        case q.ReadFact():
            return bool(standing(episode, read.attribute, read.entity))
        case q.ReadReferent():
            return bool(standing(episode, read.attribute, None))
        case q.ReadCue():
            return bool(cues(scope, episode, read.dimension))
        case q.ReadSound():
            return bool(sounds(scope, episode, read.level))
        case q.ReadSpeaker() | q.ReadDate():
            return True


def read_one(scope: Scope, episode: Episode, read: q.Read) -> Item:
    """The value of an attribute of an episode for which it is defined."""
    match read:
        case q.ReadFact():
            return _read_fact(scope, episode, read)
        case q.ReadReferent():
            return _read_referent(scope, episode, read)
        case q.ReadSpeaker():
            return Item(episode, speaker(scope, episode), episode.timestamp)
        case q.ReadCue():
            delivery = _single(cues(scope, episode, read.dimension))
            return Item(episode, delivery, episode.timestamp)
        case q.ReadSound():
            sound = _single(sounds(scope, episode, read.level))
            return Item(episode, sound, episode.timestamp)
        case q.ReadDate():
            return Item(episode, episode.timestamp.date().isoformat(), episode.timestamp)


def _single(values: set[T]) -> T:
    if len(values) != 1:
        raise NoAnswer("ambiguous")
    return next(iter(values))


def _read_fact(scope: Scope, episode: Episode, read: q.ReadFact) -> Item:
    left = standing(episode, read.attribute, read.entity)
    value = _single({stated_value(scope, episode, index, statement) for index, statement in left})
    return Item(episode, value, max(statement.effective for _, statement in left))


def _read_referent(scope: Scope, episode: Episode, read: q.ReadReferent) -> Item:
    left = standing(episode, read.attribute, None)
    referents = {
        str(scope.world.resolve((episode.session_id, "referent", index), statement.referent))
        for index, statement in left
    }
    return Item(episode, _single(referents), max(item.effective for _, item in left))
