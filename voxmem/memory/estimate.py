"""From what was heard to what the semantics reason over: episodes, estimated channel by channel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from voxmem.memory.delivery import Named, Place, Said, deliveries
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession
from voxmem.memory.parse import HeardFact, Understood, understand
from voxmem.memory.sound import sound_behind
from voxmem.memory.voices import embedded, is_clear, labels
from voxmem.semantics import Channel, Episode
from voxmem.semantics.view import Missing, Observed, Statement, Unknown, Utterance
from voxmem.vocabulary import CUE_DIMENSIONS, DELIVERIES

WORDS: frozenset[Channel] = frozenset({Channel.WORDS})
"""What a reader of transcripts perceives. (Which thing is meant, its referent, follows from the
name and the speaker: it is known where both are.)"""
VOICES: frozenset[Channel] = WORDS | {Channel.SPEAKER, Channel.REFERENT}
EVERYTHING: frozenset[Channel] = frozenset(Channel)

_UNHEARD: Mapping[str, Observed] = {name: Unknown("cue", name) for name in CUE_DIMENSIONS}
_NEUTRAL: Mapping[str, Observed] = dict.fromkeys(CUE_DIMENSIONS, Missing.NEUTRAL)

NOBODY = "nobody heard"
"""The label of an asker whose voice is not perceived."""


@dataclass(frozen=True)
class Estimate:
    """A history as it is perceived."""

    episodes: tuple[Episode, ...]
    """One a session, in the order in which they were told; unknown where nothing was perceived."""
    asker: str
    """The label of the query's voice; one that no episode has if it is not perceived."""


@dataclass(frozen=True)
class Sensed:
    """What each channel of a history came to, before it is put together."""

    understood: Sequence[Understood]
    """Of the words of each session."""
    sounds: Sequence[Observed]
    """Of each session."""
    voices: Sequence[str | None]
    """Labels, a session each; ``None`` where nothing was heard."""
    asker: str | None
    deliveries: Mapping[Place, Named]
    """Of user turns that were heard, ``neutral`` among them."""


def estimate(heard: HeardHistory, perceived: Set[Channel] = EVERYTHING) -> Estimate:
    """The episodes of a history, by what was measured of it.

    Facts, topics and entities come from the words alone. Speakers are labels of groups of voices
    ("voice 1"), never names; sessions have no ids but their place ("session 001"). A session of
    which nothing was heard but its words has a voice, a delivery and a sound that are unknown.

    Args:
        perceived: The channels that are used; all others are unknown in every episode.
    """
    return assemble(heard, sense(heard), perceived)


def assemble(heard: HeardHistory, sensed: Sensed, perceived: Set[Channel] = EVERYTHING) -> Estimate:
    """:func:`estimate`, from what each channel came to."""
    episodes = tuple(
        _episode(at, session, sensed, frozenset(perceived))
        for at, session in enumerate(heard.sessions)
    )
    asker = sensed.asker if Channel.SPEAKER in perceived else None
    return Estimate(episodes, asker or NOBODY)


def sense(heard: HeardHistory) -> Sensed:
    """Every channel of a history, each by itself."""
    sounds = [sound_behind(session.clips) for session in heard.sessions]
    noisy = [isinstance(sound, str) for sound in sounds]
    spoken = [*(session.clips for session in heard.sessions), heard.query.clips]
    names = labels(
        [embedded(clips) for clips in spoken],
        [is_clear(clips, noisy=it) for clips, it in zip(spoken, [*noisy, False], strict=True)],
    )
    turns = {
        Place(at, turn): Said(clip, names[at] or "", noisy[at])
        for at, session in enumerate(heard.sessions)
        for turn, clip in _one_clip_turns(session)
    }
    understood = [
        understand([turn.words for turn in session.user_turns], session.timestamp)
        for session in heard.sessions
    ]
    return Sensed(understood, sounds, names[:-1], names[-1], deliveries(turns))


def _one_clip_turns(session: HeardSession) -> Iterable[tuple[int, HeardClip]]:
    """The user turns that are one recording each: those whose words are all of it."""
    for at, turn in enumerate(session.user_turns):
        if len(turn.clips) == 1:
            yield at, turn.clips[0]


def _episode(
    at: int, session: HeardSession, sensed: Sensed, perceived: frozenset[Channel]
) -> Episode:
    understood = sensed.understood[at]
    voice = sensed.voices[at] if Channel.SPEAKER in perceived else None
    owner = voice if Channel.REFERENT in perceived else None
    utterance = Utterance(
        speaker=voice or Unknown("voice"),
        cues=_cues(at, sensed) if Channel.DELIVERY in perceived else _UNHEARD,
        sound=sensed.sounds[at] if Channel.SOUND in perceived else Unknown("sound"),
        statements=tuple(
            _statement(fact, owner, session) for turn in understood.facts for fact in turn
        ),
    )
    return Episode(
        session_id=f"session {at + 1:03d}",
        timestamp=session.timestamp,
        topic=understood.topic,
        entities=understood.entities,
        utterances=(utterance,),
    )


def _cues(at: int, sensed: Sensed) -> Mapping[str, Observed]:
    """The cues of a session: in each dimension, of all turns that are delivered in some way, the
    one that is surest. That it was misheard is likelier than that there are two."""
    named = [found for place, found in sensed.deliveries.items() if place.session == at]
    if not named:
        return _UNHEARD
    cued = sorted((it for it in named if it.delivery in DELIVERIES), key=lambda it: it.share)
    return {**_NEUTRAL, **{DELIVERIES[it.delivery]: it.delivery for it in cued}}


def _statement(fact: HeardFact, owner: str | None, session: HeardSession) -> Statement:
    return Statement(
        entity=fact.entity,
        referent=f"{fact.entity}@{owner}" if owner else Unknown("referent"),
        attribute=fact.attribute,
        value=fact.value,
        effective=fact.effective or session.timestamp,
    )
