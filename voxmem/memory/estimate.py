"""From what was heard to what the semantics reason over: episodes, estimated channel by channel."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from voxmem.memory.heard import HeardHistory
from voxmem.semantics import Channel, Episode

WORDS: frozenset[Channel] = frozenset({Channel.WORDS})
"""What a reader of transcripts perceives. (Which thing is meant, its referent, follows from the
name and the speaker: it is known where both are.)"""
VOICES: frozenset[Channel] = WORDS | {Channel.SPEAKER, Channel.REFERENT}
EVERYTHING: frozenset[Channel] = frozenset(Channel)


@dataclass(frozen=True)
class Estimate:
    """A history as it is perceived."""

    episodes: tuple[Episode, ...]
    """One a session, in the order in which they were told; unknown where nothing was perceived."""
    asker: str
    """The label of the query's voice; one that no episode has if it is not perceived."""


def estimate(heard: HeardHistory, perceived: Set[Channel] = EVERYTHING) -> Estimate:
    """The episodes of a history, by what was measured of it.

    Facts, topics and entities come from the words alone. Speakers are labels of clusters of
    voices ("voice 1"), never names; sessions have no ids but their place ("session 001").

    Args:
        perceived: The channels that are used; all others are unknown in every episode.
    """
    raise NotImplementedError
