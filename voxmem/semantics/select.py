"""Which sessions a question means, in one world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from voxmem import query as q
from voxmem.semantics.attributes import (
    HEARD,
    Item,
    NoAnswer,
    Scope,
    cues,
    is_defined,
    read_one,
    sounds,
    speaker,
    standing,
    stated_value,
)
from voxmem.semantics.outline import ACOUSTIC_CONDITIONS, Where
from voxmem.semantics.view import Episode, Statement, at_level

__all__ = [
    "Item",
    "NoAnswer",
    "Scope",
    "at_least",
    "at_level",
    "exactly_one",
    "matching",
    "meets",
    "members",
    "readings",
    "select",
    "voice_of",
]

# --- conditions -------------------------------------------------------------------------------

_RANK: dict[type[q.Term], int] = {q.Delivered: 1, q.Heard: 1, q.SpokenBy: 2}


def meets(scope: Scope, episode: Episode, where: Iterable[q.Condition]) -> bool:
    """Whether an episode meets all conditions. Words are looked at before cues and cues before
    voices, so that whatever is unknown or mixed in sessions that are ruled out is never asked."""
    return _meet(scope, episode, sorted(where, key=_rank))


def _rank(condition: q.Condition) -> int:
    return _RANK.get(type(condition), 0)


def _meet(scope: Scope, episode: Episode, ordered: Sequence[q.Condition]) -> bool:
    return all(_HOLDS[type(condition)](scope, episode, condition) for condition in ordered)


def matching(
    scope: Scope, where: Iterable[q.Condition], read: q.Read | None = None
) -> list[Episode]:
    """The episodes that meet all conditions and for which ``read`` is defined, in order of time."""
    words, sound = _parted(where)
    return _audible(scope, _worded(scope, scope.episodes, words, read), sound, read)


def _parted(where: Iterable[q.Condition]) -> tuple[list[q.Condition], list[q.Condition]]:
    """Conditions on words, and those on sound in the order in which they are looked at."""
    ordered = sorted(where, key=_rank)
    spoken = sum(type(condition) not in ACOUSTIC_CONDITIONS for condition in ordered)
    return ordered[:spoken], ordered[spoken:]


def _worded(
    scope: Scope, episodes: Iterable[Episode], words: Sequence[q.Condition], read: q.Read | None
) -> list[Episode]:
    """Those that meet the words and state what is read, if it is words that are read."""
    stated = None if type(read) in HEARD else read
    return [
        episode
        for episode in episodes
        if is_defined(scope, episode, stated) and _meet(scope, episode, words)
    ]


def _audible(
    scope: Scope, episodes: Iterable[Episode], sound: Sequence[q.Condition], read: q.Read | None
) -> list[Episode]:
    """Those that sound as they should and have the cue that is read, if it is a cue."""
    heard = read if type(read) in HEARD else None
    return [
        episode
        for episode in episodes
        if _meet(scope, episode, sound) and is_defined(scope, episode, heard)
    ]


def _topic(scope: Scope, episode: Episode, condition: q.Topic) -> bool:
    return episode.topic == condition.topic


def _about(scope: Scope, episode: Episode, condition: q.About) -> bool:
    return condition.entity in episode.entities


def _dated(scope: Scope, episode: Episode, condition: q.Dated) -> bool:
    return episode.timestamp.date() == condition.day


def _states(scope: Scope, episode: Episode, condition: q.States) -> bool:
    return any(
        _satisfies(scope, episode, index, statement, condition)
        for index, statement in standing(episode, condition.attribute, condition.entity)
    )


def _satisfies(
    scope: Scope, episode: Episode, index: int, statement: Statement, condition: q.States
) -> bool:
    if condition.compare == "any" or condition.value is None:
        return True
    value = stated_value(scope, episode, index, statement)
    if condition.compare == "eq":
        return value == condition.value
    if not isinstance(value, int) or not isinstance(condition.value, int):
        return False
    return value >= condition.value if condition.compare == "ge" else value <= condition.value


def _spoken_by(scope: Scope, episode: Episode, condition: q.SpokenBy) -> bool:
    return voice_of(scope, condition.same_as) == speaker(scope, episode)


def _delivered(scope: Scope, episode: Episode, condition: q.Delivered) -> bool:
    return condition.value in cues(scope, episode, condition.dimension)


def _heard(scope: Scope, episode: Episode, condition: q.Heard) -> bool:
    return condition.value in sounds(scope, episode, condition.level)


_HOLDS: dict[type[q.Term], Callable[..., bool]] = {
    q.Topic: _topic,
    q.About: _about,
    q.Dated: _dated,
    q.States: _states,
    q.SpokenBy: _spoken_by,
    q.Delivered: _delivered,
    q.Heard: _heard,
}


# --- references -------------------------------------------------------------------------------


def voice_of(scope: Scope, where: Where | None) -> str:
    """The voice of the one session that meets the conditions; for ``None``, the asker's.

    Raises:
        NoAnswer: ``unbound`` if there is no such session: without it a voice is bound to nothing.
            ``ambiguous`` if there are several sessions or several voices.
    """
    if where is None:
        return scope.asker
    voice = scope.voices.get(id(where))
    if voice is None:
        try:
            voice = speaker(scope, exactly_one(scope, where))
        except NoAnswer as error:
            raise NoAnswer("ambiguous" if error.reason == "ambiguous" else "unbound") from None
        scope.voices[id(where)] = voice
    return voice


# --- selections -------------------------------------------------------------------------------


def exactly_one(scope: Scope, where: Where, read: q.Read | None = None) -> Episode:
    """The one episode that meets the conditions and for which ``read`` is defined.

    Raises:
        NoAnswer: As :func:`at_least`; ``ambiguous`` if there are several.
    """
    found = at_least(scope, where, read)
    if len(found) > 1:
        raise NoAnswer("ambiguous")
    return found[0]


def at_least(
    scope: Scope,
    where: Where,
    read: q.Read | None = None,
    count: int = 1,
    among: Sequence[Episode] | None = None,
) -> list[Episode]:
    """All :func:`matching` episodes of the scope, or of some of it, if there are enough.

    Raises:
        NoAnswer: What too many of them lack: ``no_session`` for the words, ``unbound`` for the
            voice, ``cue_absent`` for the cue or sound.
    """
    words, sound = _parted(where)
    worded = _worded(scope, scope.episodes if among is None else among, words, read)
    if len(worded) < count:
        raise NoAnswer("no_session")
    found = _audible(scope, worded, sound, read)
    if len(found) < count:
        voiced = [condition for condition in sound if type(condition) is q.SpokenBy]
        enough = sum(_meet(scope, episode, voiced) for episode in worded) >= count
        raise NoAnswer("cue_absent" if enough else "unbound")
    return found


def select(scope: Scope, selection: q.Selection, read: q.Read | None = None) -> list[Episode]:
    """The selected episodes in order of time; only those where ``read`` is defined count."""
    match selection:
        case q.Named():
            return _named(scope, selection, read)
        case q.Declared():
            return _declared(scope, selection, read)
        case q.Open():
            return matching(scope, selection.where, read)


def members(scope: Scope, selection: q.Named, read: q.Read | None = None) -> list[Episode]:
    """One episode an anchor, in the order of the anchors.

    Raises:
        NoAnswer: ``missing_member`` if there is none for an anchor, or what it lacks;
            ``ambiguous`` if there are several, or one is that of two anchors.
    """
    found = []
    for anchor in selection.anchors:
        try:
            found.append(exactly_one(scope, anchor, read))
        except NoAnswer as error:
            missing = error.reason == "no_session"
            raise NoAnswer("missing_member" if missing else error.reason) from None
    if len({member.session_id for member in found}) != len(found):
        raise NoAnswer("ambiguous")
    return found


def _named(scope: Scope, selection: q.Named, read: q.Read | None) -> list[Episode]:
    if len(selection.anchors) == 1:
        return [exactly_one(scope, selection.anchors[0], read)]
    found = members(scope, selection, read)
    if not found:
        raise NoAnswer("no_session")
    return sorted(found, key=lambda episode: (episode.timestamp, episode.session_id))


def _declared(scope: Scope, selection: q.Declared, read: q.Read | None) -> list[Episode]:
    try:
        found = at_least(scope, selection.where, read, selection.count)
    except NoAnswer as error:
        missing = error.reason == "no_session"
        raise NoAnswer("missing_member" if missing else error.reason) from None
    if len(found) > selection.count:
        raise NoAnswer("ambiguous")
    return found


def readings(scope: Scope, reading: q.Reading) -> list[Item]:
    """All values of a reading, ordered by the moment from which they hold.

    Raises:
        NoAnswer: nothing is selected, or a member has no such value.
    """
    if type(reading.select) is q.Open:
        episodes = at_least(scope, reading.select.where, reading.read)
    else:
        episodes = select(scope, reading.select, reading.read)
    items = [read_one(scope, episode, reading.read) for episode in episodes]
    return sorted(items, key=lambda item: (item.since, item.episode.session_id))
