"""Which sessions a question means, and what it reads from them, in one world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from voxmem.query import (
    About,
    Condition,
    Dated,
    Declared,
    Delivered,
    Heard,
    Named,
    Open,
    Read,
    ReadCue,
    ReadDate,
    ReadFact,
    Reading,
    ReadReferent,
    ReadSound,
    ReadSpeaker,
    Selection,
    SpokenBy,
    States,
    Topic,
)
from voxmem.records import Reason
from voxmem.semantics.completions import World
from voxmem.semantics.view import Episode, Missing, Statement
from voxmem.vocabulary import SOUNDS

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


@dataclass(frozen=True)
class Item:
    """One value read from one session, with the moment from which it holds."""

    episode: Episode
    value: Readable
    since: datetime


ACOUSTIC_CONDITIONS = (Delivered, Heard, SpokenBy)
_CUE_CONDITIONS = (Delivered, Heard)
_CUE_READS = (ReadCue, ReadSound)


# --- conditions -------------------------------------------------------------------------------


def meets(scope: Scope, episode: Episode, where: Sequence[Condition]) -> bool:
    """Whether an episode meets all conditions. Words are looked at before cues and cues before
    voices, so that whatever is unknown or mixed in sessions that are ruled out is never asked."""
    ordered = sorted(where, key=_rank)
    return all(_holds(scope, episode, condition) for condition in ordered)


def _rank(condition: Condition) -> tuple[bool, bool]:
    return isinstance(condition, SpokenBy), isinstance(condition, _CUE_CONDITIONS)


def matching(scope: Scope, where: Sequence[Condition], read: Read | None = None) -> list[Episode]:
    """The episodes that meet all conditions and for which ``read`` is defined, in order of time."""
    heard = isinstance(read, _CUE_READS)
    return [
        episode
        for episode in scope.episodes
        if (heard or is_defined(scope, episode, read))
        and meets(scope, episode, where)
        and (not heard or is_defined(scope, episode, read))
    ]


def _holds(scope: Scope, episode: Episode, condition: Condition) -> bool:
    match condition:
        case Topic():
            return episode.topic == condition.topic
        case About():
            return condition.entity in episode.entities
        case Dated():
            return episode.timestamp.date() == condition.day
        case States():
            return any(
                _satisfies(scope, episode, index, statement, condition)
                for index, statement in _standing(episode, condition.attribute, condition.entity)
            )
        case SpokenBy():
            return _reference(scope, condition) == speaker(scope, episode)
        case Delivered():
            return condition.value in cues(scope, episode, condition.dimension)
        case Heard():
            return condition.value in sounds(scope, episode, condition.level)


def _satisfies(
    scope: Scope, episode: Episode, index: int, statement: Statement, condition: States
) -> bool:
    if condition.compare == "any" or condition.value is None:
        return True
    value = _value(scope, episode, index, statement)
    if condition.compare == "eq":
        return value == condition.value
    if not isinstance(value, int) or not isinstance(condition.value, int):
        return False
    return value >= condition.value if condition.compare == "ge" else value <= condition.value


def _reference(scope: Scope, condition: SpokenBy) -> str:
    if condition.same_as is None:
        return scope.asker
    try:
        return speaker(scope, exactly_one(scope, condition.same_as))
    except NoAnswer as error:
        # Without the session that it refers to, a voice is bound to nothing.
        raise NoAnswer("ambiguous" if error.reason == "ambiguous" else "unbound") from None


def exactly_one(scope: Scope, where: Sequence[Condition], read: Read | None = None) -> Episode:
    """The one episode that meets the conditions and for which ``read`` is defined.

    Raises:
        NoAnswer: As :func:`at_least`; ``ambiguous`` if there are several.
    """
    found = at_least(scope, where, read)
    if len(found) > 1:
        raise NoAnswer("ambiguous")
    return found[0]


def at_least(
    scope: Scope, where: Sequence[Condition], read: Read | None, count: int = 1
) -> list[Episode]:
    """All :func:`matching` episodes, if there are enough.

    Raises:
        NoAnswer: What too many of them lack: ``no_session`` for the words, ``unbound`` for the
            voice, ``cue_absent`` for the cue or sound.
    """
    stated = None if isinstance(read, _CUE_READS) else read
    words = [condition for condition in where if not isinstance(condition, ACOUSTIC_CONDITIONS)]
    if len(matching(scope, words, stated)) < count:
        raise NoAnswer("no_session")
    found = matching(scope, where, read)
    if len(found) < count:
        voiced = [condition for condition in where if not isinstance(condition, _CUE_CONDITIONS)]
        enough = len(matching(scope, voiced, stated)) >= count
        raise NoAnswer("cue_absent" if enough else "unbound")
    return found


# --- attributes of an episode -----------------------------------------------------------------


def statements(episode: Episode) -> list[tuple[int, Statement]]:
    """All statements of an episode, numbered in the order they are made."""
    return list(enumerate(item for turn in episode.utterances for item in turn.statements))


def speaker(scope: Scope, episode: Episode) -> str:
    """The voice of an episode. Two voices in one session have no single speaker."""
    voices = {
        str(scope.world.resolve((episode.session_id, "voice", index), turn.speaker))
        for index, turn in enumerate(episode.utterances)
    }
    if len(voices) != 1:
        raise NoAnswer("ambiguous")
    return voices.pop()


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


def at_level(event: str, level: str) -> str:
    """A sound event seen at a level of the hierarchy event → category → scene."""
    if level == "event":
        return event
    category, scene = SOUNDS[event]
    return category if level == "category" else scene


def is_defined(scope: Scope, episode: Episode, read: Read | None) -> bool:
    """Whether an episode has something to read at all."""
    match read:
        case ReadFact():
            return bool(_standing(episode, read.attribute, read.entity))
        case ReadReferent():
            return bool(_standing(episode, read.attribute, None))
        case ReadCue():
            return bool(cues(scope, episode, read.dimension))
        case ReadSound():
            return bool(sounds(scope, episode, read.level))
        case ReadSpeaker() | ReadDate() | None:
            return True


def _standing(episode: Episode, attribute: str, entity: str | None) -> list[tuple[int, Statement]]:
    """What an episode leaves said of an attribute: the last statement about each entity, since a
    later one in the same session corrects the earlier."""
    last = {
        statement.entity: (index, statement)
        for index, statement in statements(episode)
        if statement.attribute == attribute and entity in (None, statement.entity)
    }
    return list(last.values())


def read_one(scope: Scope, episode: Episode, read: Read) -> Item:
    """The value of an attribute of an episode for which it is defined."""
    match read:
        case ReadFact():
            return _read_fact(scope, episode, read)
        case ReadReferent():
            return _read_referent(scope, episode, read)
        case ReadSpeaker():
            return Item(episode, speaker(scope, episode), episode.timestamp)
        case ReadCue():
            delivery = _single(cues(scope, episode, read.dimension))
            return Item(episode, delivery, episode.timestamp)
        case ReadSound():
            sound = _single(sounds(scope, episode, read.level))
            return Item(episode, sound, episode.timestamp)
        case ReadDate():
            return Item(episode, episode.timestamp.date().isoformat(), episode.timestamp)


def _single(values: set[T]) -> T:
    if len(values) != 1:
        raise NoAnswer("ambiguous")
    return next(iter(values))


def _read_fact(scope: Scope, episode: Episode, read: ReadFact) -> Item:
    standing = _standing(episode, read.attribute, read.entity)
    value = _single({_value(scope, episode, index, statement) for index, statement in standing})
    return Item(episode, value, max(statement.effective for _, statement in standing))


def _read_referent(scope: Scope, episode: Episode, read: ReadReferent) -> Item:
    standing = _standing(episode, read.attribute, None)
    referents = {
        str(scope.world.resolve((episode.session_id, "referent", index), statement.referent))
        for index, statement in standing
    }
    return Item(episode, _single(referents), max(item.effective for _, item in standing))


def _value(scope: Scope, episode: Episode, index: int, statement: Statement) -> Readable:
    value = scope.world.resolve((episode.session_id, "value", index), statement.value)
    assert not isinstance(value, Missing)  # a fact that is not stated has no statement
    return value


# --- selections -------------------------------------------------------------------------------


def select(scope: Scope, selection: Selection, read: Read | None = None) -> list[Episode]:
    """The selected episodes in order of time; only those where ``read`` is defined count."""
    match selection:
        case Named():
            return _named(scope, selection, read)
        case Declared():
            return _declared(scope, selection, read)
        case Open():
            return matching(scope, selection.where, read)


def _named(scope: Scope, selection: Named, read: Read | None) -> list[Episode]:
    if not selection.anchors:
        raise NoAnswer("no_session")
    members = []
    for anchor in selection.anchors:
        try:
            members.append(exactly_one(scope, anchor, read))
        except NoAnswer as error:
            several = len(selection.anchors) > 1 and error.reason == "no_session"
            raise NoAnswer("missing_member" if several else error.reason) from None
    if len({member.session_id for member in members}) != len(members):
        raise NoAnswer("ambiguous")
    return sorted(members, key=lambda episode: (episode.timestamp, episode.session_id))


def _declared(scope: Scope, selection: Declared, read: Read | None) -> list[Episode]:
    try:
        found = at_least(scope, selection.where, read, selection.count)
    except NoAnswer as error:
        missing = error.reason == "no_session"
        raise NoAnswer("missing_member" if missing else error.reason) from None
    if len(found) > selection.count:
        raise NoAnswer("ambiguous")
    return found


def readings(scope: Scope, reading: Reading) -> list[Item]:
    """All values of a reading, ordered by the moment from which they hold.

    Raises:
        NoAnswer: nothing is selected, or a member has no such value.
    """
    if isinstance(reading.select, Open):
        episodes = at_least(scope, reading.select.where, reading.read)
    else:
        episodes = select(scope, reading.select, reading.read)
    items = [read_one(scope, episode, reading.read) for episode in episodes]
    return sorted(items, key=lambda item: (item.since, item.episode.session_id))
