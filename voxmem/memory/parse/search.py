"""Finding many phrases in one text at once, as far as they sound alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.memory.parse.phones import ALPHABET, coded, joined, phones, substitution

_GAP = 0.8
"""The cost of a sound too many, or too few. Vowels come and go more easily."""
_VOWEL_GAP = 0.5
_VOWELS = 5  # begin the alphabet
_INSIDE = 0.7
"""The cost of beginning or ending inside of a word."""
_EXACT = 0.999
_SHARED = 0.3
"""The share of its pairs of neighbouring sounds without which no phrase is looked for."""

Codes = NDArray[np.intp]

_SHORT = 5
"""Phrases of fewer sounds must be heard exactly: half of such a word makes another one."""


class Mention(NamedTuple):
    """A phrase in a text."""

    phrase: str
    score: float
    """1 if every sound is there; each slip costs its share of the phrase."""
    start: int
    """Its first word, and the one after its last."""
    end: int


class Finder:
    """Looks for a set of phrases, all at once.

    Args:
        phrases: In lower case or not; articles are part of them only if they are given.
    """

    def __init__(self, phrases: Sequence[str]) -> None:
        self.phrases = tuple(phrases)
        spelt = [joined(phrase.split()) for phrase in phrases]
        self._lengths = np.array([len(text) for text in spelt], dtype=np.intp)
        self._codes = np.full((len(spelt), max(map(len, spelt), default=0)), len(ALPHABET))
        for row, text in enumerate(spelt):
            self._codes[row, : len(text)] = coded(text)
        gaps = np.where(self._codes < _VOWELS, _VOWEL_GAP, _GAP).astype(np.float32)
        self._skipped = np.pad(np.cumsum(gaps, axis=1), ((0, 0), (1, 0)))
        self._pairs = np.stack([_pairs(coded(text)) for text in spelt]) if spelt else None

    def find(self, words: Sequence[str], least: float) -> list[Mention]:
        """The mentions with a score of ``least`` or more; of those that overlap, the best."""
        return _apart(self.all(words, least))

    def all(self, words: Sequence[str], least: float) -> list[Mention]:
        """The same, with those that overlap: the best of each phrase at each of its last words."""
        sounds = [coded(phones(word)) for word in words]
        rows = self._likely(sounds)
        if not rows.size:
            return []
        scores, starts = _Alignment(self._codes[rows], self._skipped[rows]).scores(
            sounds, self._lengths[rows]
        )
        needed = np.where(self._lengths[rows] < _SHORT, _EXACT, least)
        found = [
            Mention(
                self.phrases[rows[row]],
                float(scores[end, row]),
                int(starts[end, row]),
                int(end) + 1,
            )
            for end, row in np.argwhere(scores >= needed)
        ]
        return [one for one in found if not _by_chance(one, words)]

    def _likely(self, sounds: Sequence[Codes]) -> Codes:
        """The phrases of which enough neighbouring sounds occur for a closer look."""
        if self._pairs is None or not sounds:
            return np.empty(0, dtype=np.intp)
        shared = self._pairs @ _pairs(np.concatenate(sounds))
        return np.flatnonzero(shared >= _SHARED * self._pairs.sum(axis=1))


def _pairs(codes: Codes) -> NDArray[np.float32]:
    """Which two sounds are neighbours, [sounds * sounds]."""
    out = np.zeros(len(ALPHABET) ** 2, dtype=np.float32)
    out[codes[:-1] * len(ALPHABET) + codes[1:]] = 1.0
    return out


class _Alignment:
    """The cheapest way to hear each phrase in a text, sound by sound.

    Args:
        codes: [phrases, sounds].
        skipped: The cost of leaving out all sounds before one, [phrases, sounds + 1].
    """

    def __init__(self, codes: Codes, skipped: NDArray[np.float32]) -> None:
        self._codes, self._skipped = codes, skipped
        self._cost = skipped.copy()
        self._begun = np.zeros(skipped.shape, dtype=np.intp)

    def scores(self, sounds: Sequence[Codes], lengths: Codes) -> tuple[NDArray[np.float32], Codes]:
        """By last word and phrase, [words, phrases]: the best score, and its first word."""
        rows = np.arange(lengths.size)
        scores = np.zeros((len(sounds), rows.size), dtype=np.float32)
        starts = np.zeros((len(sounds), rows.size), dtype=np.intp)
        last = -1
        for place, word in enumerate(sounds):
            inside = 0.0
            for sound in map(int, word):
                if sound != last:  # else it is one sound, of the word before and of this one
                    self._hear(sound, inside, place)
                    inside = _INSIDE
                last = sound
            if not word.size:  # a word that is taken: no phrase goes on beyond it
                self._cost, last = self._skipped.copy(), -1
            else:
                scores[place] = 1 - self._cost[rows, lengths] / np.maximum(lengths, 1)
                starts[place] = self._begun[rows, lengths]
        return scores, starts

    def _hear(self, sound: int, inside: float, place: int) -> None:
        """One more sound of the text: it begins the phrase, goes on with it, or is one too many."""
        cost, begun = self._cost, self._begun
        cost[:, 0], begun[:, 0] = inside, place
        matched = cost[:, :-1] + substitution()[sound][self._codes]
        added = cost[:, 1:] + (_VOWEL_GAP if sound < _VOWELS else _GAP)
        take = matched <= added
        begun[:, 1:] = np.where(take, begun[:, :-1], begun[:, 1:])
        cost[:, 1:] = np.where(take, matched, added)
        # Sounds of the phrase that were not said: the cheapest way from the left.
        level = cost - self._skipped
        best = np.minimum.accumulate(level, axis=1)
        source = np.where(level <= best, np.arange(level.shape[1]), 0)
        source = np.maximum.accumulate(source, axis=1)
        self._cost = best + self._skipped
        self._begun = np.take_along_axis(begun, source, axis=1)


def _by_chance(one: Mention, words: Sequence[str]) -> bool:
    return one.score < _EXACT and _common().issuperset(words[one.start : one.end])


def _apart(found: Sequence[Mention]) -> list[Mention]:
    """The best ones first; what overlaps a better one is left out. In order of the text."""
    kept: list[Mention] = []
    for one in sorted(found, key=lambda it: (-it.score, -len(it.phrase), it.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda it: it.start)


@cache
def _common() -> frozenset[str]:
    """Words that make no name by themselves, whatever they sound like."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # takes a second to load

    return frozenset(ENGLISH_STOP_WORDS) | {"thing", "things", "like", "want", "okay", "right", "|"}
