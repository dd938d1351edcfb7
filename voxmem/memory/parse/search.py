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
        self._lengths = np.array([len(text) for text in spelt], dtype=np.float32)
        width = max(map(len, spelt), default=0)
        self._codes = np.full((len(spelt), width), len(ALPHABET), dtype=np.intp)
        for row, text in enumerate(spelt):
            self._codes[row, : len(text)] = coded(text)
        gaps = np.where(np.isin(self._codes, coded("aeiou")), _VOWEL_GAP, _GAP)
        self._skipped = np.concatenate(
            [np.zeros((len(spelt), 1)), np.cumsum(gaps, axis=1)], axis=1
        ).astype(np.float32)
        self._last = self._lengths.astype(np.intp)

    def find(self, words: Sequence[str], least: float) -> list[Mention]:
        """The mentions with a score of ``least`` or more; of those that overlap, the best."""
        if not self.phrases or not words:
            return []
        scores, starts = self._aligned(words)
        needed = np.where(self._lengths < _SHORT, _EXACT, least)
        found = [
            Mention(self.phrases[row], float(scores[end, row]), int(starts[end, row]), int(end) + 1)
            for end, row in np.argwhere(scores >= needed)
        ]
        return _apart([one for one in found if not _by_chance(one, words)])

    def _aligned(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """By last word and phrase, [words, phrases]: the best score, and its first word."""
        rows = np.arange(len(self.phrases))
        cost = self._skipped.copy()
        begun = np.zeros(cost.shape, dtype=np.intp)
        scores = np.zeros((len(words), rows.size), dtype=np.float32)
        starts = np.zeros((len(words), rows.size), dtype=np.intp)
        table, last = substitution(), -1
        for place, word in enumerate(words):
            sounds = coded(phones(word))
            inside = 0.0
            for sound in map(int, sounds):
                if sound != last:  # else it is one sound, of the word before and of this one
                    cost, begun = self._step(cost, begun, table[sound], sound, inside, place)
                    inside = _INSIDE
                last = sound
            if sounds.size:
                scores[place] = 1 - cost[rows, self._last] / np.maximum(self._lengths, 1)
                starts[place] = begun[rows, self._last]
        return scores, starts

    def _step(
        self,
        cost: NDArray[np.float32],
        begun: NDArray[np.intp],
        row: NDArray[np.float32],
        sound: int,
        inside: float,
        place: int,
    ) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """One more sound of the text: it begins the phrase, goes on with it, or is one too many."""
        cost[:, 0], begun[:, 0] = inside, place
        matched = cost[:, :-1] + row[self._codes]
        added = cost[:, 1:] + (_VOWEL_GAP if sound < _VOWELS else _GAP)
        take = matched <= added
        cost[:, 1:] = np.where(take, matched, added)
        begun[:, 1:] = np.where(take, begun[:, :-1], begun[:, 1:])
        # Sounds of the phrase that were not said: the cheapest way from the left.
        level = cost - self._skipped
        best = np.minimum.accumulate(level, axis=1)
        source = np.maximum.accumulate(
            np.where(level <= best, np.arange(level.shape[1]), 0), axis=1
        )
        return best + self._skipped, np.take_along_axis(begun, source, axis=1)


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

    return ENGLISH_STOP_WORDS | {"thing", "things", "like", "want", "okay", "right", "|"}
