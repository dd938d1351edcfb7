"""A reply as sentences of clauses, each word with its classes and its negation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.normalise import words_of_clean

_PIECE = re.compile(
    r"(?P<stop>(?:[.!?]|…)+(?=[\s\"')\]]|$)|\.{2,}|…|\n+)"
    r"|(?P<colon>:)|(?P<dash>[;()\[\]/|—–→]|\s-+>?\s|->)|(?P<comma>,)"
)
_CONTRAST = frozenset("but however although though yet still nevertheless nonetheless".split())
_REASON = frozenset("because since while so therefore thus hence due".split())
_STARTS_CLAUSE = frozenset(
    "i we you he she they it there nothing nobody no none this that my".split()
)
_PHRASES = {
    ("make", "out"): "discern",
    ("made", "out"): "discerned",
    ("left", "out"): "omitted",
    ("leaves", "out"): "omits",
    ("yet", "to"): "never",
    ("not", "only"): "only",
    ("so", "far"): "hitherto",
    ("come", "up"): "arisen",
    ("comes", "up"): "arises",
    ("came", "up"): "arose",
    ("bring", "up"): "mention",
    ("brings", "up"): "mentions",
    ("brought", "up"): "mentioned",
    ("rather", "than"): "without",
    ("instead", "of"): "without",
    ("no", "doubt"): "certainly",
    ("without", "doubt"): "certainly",
    ("no", "question"): "certainly",
}
"""Pairs whose meaning is not that of their words."""


@dataclass(frozen=True)
class Clause:
    """A stretch of words with one predicate, roughly."""

    words: tuple[str, ...]
    joint: str
    """What stands before it: "stop", "colon", "dash", "comma", or a conjunction."""

    @cached_property
    def tags(self) -> tuple[int, ...]:
        return tuple(tags(word) for word in self.words)

    @cached_property
    def union(self) -> int:
        """All classes that occur."""
        found = Tag.NONE
        for tag in self.tags:
            found |= tag
        return found

    @cached_property
    def negations(self) -> tuple[int, ...]:
        """Indices of negations; "nor" only carries "neither" on."""
        return tuple(
            index
            for index, tag in enumerate(self.tags)
            if tag & Tag.NEG
            and not (self.words[index] == "nor" and "neither" in self.words[:index])
        )

    @cached_property
    def negated(self) -> tuple[bool, ...]:
        """For each word, whether an odd number of negations stands before it."""
        odd, out = False, []
        for index, word in enumerate(self.words):
            if self.words[0] == "without" and word in _STARTS_CLAUSE:
                odd = False  # "without the second I cannot": the main clause begins here
            out.append(odd)
            odd ^= index in self.negations
        return tuple(out)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(self.words)

    def where(self, wanted: int) -> list[int]:
        """The indices of words of any of the ``wanted`` classes."""
        if not self.union & wanted:
            return []
        return [index for index, tag in enumerate(self.tags) if tag & wanted]

    def has(self, *words: str) -> bool:
        return not self._vocabulary.isdisjoint(words)


def sentences(text: str) -> list[list[Clause]]:
    """The clauses of each sentence of clean ``text``; empty stretches are dropped."""
    out: list[list[Clause]] = [[]]
    joint, start = "stop", 0
    for mark in [*_PIECE.finditer(text), None]:
        run = _joined(words_of_clean(text[start : mark.start() if mark else len(text)]))
        for clause in _split(run, joint):
            out[-1].append(clause)
        if mark is None:
            break
        kind, start = str(mark.lastgroup), mark.end()
        joint = kind if run or kind == "stop" else joint
        if kind == "stop" and out[-1]:
            out.append([])
    return [sentence for sentence in out if sentence]


def _joined(run: tuple[str, ...]) -> tuple[str, ...]:
    """The words without an opening courtesy, and idiomatic pairs as one word."""
    if run[:2] == ("i", "am") and run[2:3] in (("afraid",), ("sorry",)):
        run = run[3:]
    if not any(pair in _PHRASES for pair in pairwise(run)):
        return run
    out: list[str] = []
    for word in run:
        if out and (out[-1], word) in _PHRASES:
            out[-1] = _PHRASES[out[-1], word]
        else:
            out.append(word)
    return tuple(out)


def _split(run: tuple[str, ...], joint: str) -> list[Clause]:
    """Cuts a stretch at its conjunctions."""
    out: list[Clause] = []
    begin = 0
    for index, word in enumerate(run):
        follows = run[index + 1] if index + 1 < len(run) else ""
        if word in _CONTRAST or word in _REASON or (word == "and" and follows in _STARTS_CLAUSE):
            if index > begin:
                out.append(Clause(run[begin:index], joint))
            joint, begin = word, index + 1
    if begin < len(run):
        out.append(Clause(run[begin:], joint))
    return out
