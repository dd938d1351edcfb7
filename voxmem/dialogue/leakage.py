"""Lexical leakage: words that give an acoustic answer away in the transcript (VoxMem, Table 8).

Vocal states and ambient sounds are named in no session at all, so that their absence in one
session tells nothing. Words are compared as whole tokens, with their inflections listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from voxmem.records import Record, Session, Turn

_DELIVERY_WORDS = """
whisper whispers whispered whispering excite excites excited exciting excitedly excitement hesitant
hesitantly hesitate hesitates hesitated hesitating hesitation monotone monotonous monotonously
reflective reflectively pensive sad sadder sadly sadness tense tensed tensely tension nervous
nervously anxious anxiously upset happy happily cheerful cheerfully angry angrily surprised
surprising confident confidently slow slows slowed slower slowest slowing slowly fast faster fastest
quick quicker quickly hurry hurried loud louder loudly quiet quieter quietly soft softly shout
shouts shouted shouting laugh laughs laughed laughing laughter cry cries cried crying sigh sighs
sighed sighing voice voices tone tones mumble mumbles mumbled mumbling stammer stammers stammered
stammering
"""
_SOUND_WORDS = """
rain rains rained raining rainy rainfall wave waves bird birds chirp chirps chirped chirping cricket
crickets engine engines motor motors siren sirens horn horns honk honks honked honking train trains
helicopter helicopters tick ticks ticked ticking clock clocks keyboard keyboards typing bell bells
noise noises noisy sound sounds sounded sounding background hear hears heard hearing
"""
_PLACE_WORDS = """
street streets seaside sea shore beach indoors outdoors outside inside station stations nature
forest forests town towns church churches
"""
_IDENTITY = (
    re.compile(r"\bmy name is\b"),
    re.compile(r"\b(?:this is|i am|i'm) (?:a (?:man|woman|girl|boy)|your)\b"),
    re.compile(r"\b(?:as a|being a) (?:man|woman|mother|father|teenager)\b"),
)
_WORD = re.compile(r"[a-z']+")

CHANNELS: dict[str, frozenset[str]] = {
    "delivery": frozenset(_DELIVERY_WORDS.split()),
    "sound": frozenset(_SOUND_WORDS.split()),
    "place": frozenset(_PLACE_WORDS.split()),
}


class Leak(Record):
    """A word that gives something away, and where."""

    session_id: str
    turn: int
    channel: str
    found: str


def find_leaks(session: Session) -> list[Leak]:
    """Every leak in a session's words, user and assistant alike."""
    return list(_leaks(session))


def _leaks(session: Session) -> Iterable[Leak]:
    stated: set[str] = set()
    for at, turn in enumerate(session.turns):
        for channel, found in (*_lexical(turn.text), *_repeated(turn, stated)):
            yield Leak(session_id=session.session_id, turn=at, channel=channel, found=found)
        stated |= {str(fact.value).lower() for fact in turn.facts}


def _lexical(text: str) -> Iterable[tuple[str, str]]:
    lowered = text.lower()
    for word in _WORD.findall(lowered):
        for channel, words in CHANNELS.items():
            if word in words:
                yield channel, word
    for pattern in _IDENTITY:
        if match := pattern.search(lowered):
            yield "identity", match.group()


def _repeated(turn: Turn, stated: set[str]) -> Iterable[tuple[str, str]]:
    """An assistant reply that repeats a value the user stated."""
    if turn.role != "assistant":
        return
    padded = f" {' '.join(re.findall(r'[a-z0-9]+', turn.text.lower()))} "
    for value in sorted(stated):
        if f" {value} " in padded:
            yield "fact", value
