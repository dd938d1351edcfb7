"""Words as they roughly sound: spelling reduced to a small alphabet in which slips are near."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

_DIGRAPHS = (
    (r"^kn", "n"), (r"^wr", "r"), (r"^ps", "s"), ("tch", "C"), ("ch", "C"), ("sch", "S"),
    ("sh", "S"), ("tion", "Son"), ("sion", "Son"), ("ph", "f"), ("gh(?=t)", ""), ("gh", "g"),
    ("th", "T"), ("dge", "j"), ("ck", "k"), ("qu", "kw"), ("x", "ks"), ("c(?=[eiy])", "s"),
    ("c", "k"), ("wh", "w"), ("mb$", "m"), ("(?<=[^aeiou])le$", "l"), ("(?<=[^aeiou])e$", ""),
    ("y(?=[aeiou])", "j"), ("y", "i"), ("ee|ea|ie|ei", "i"), ("oo|ou|ew|ui|ue", "u"),
    ("ai|ay|a[eiou]", "a"), ("oa|oe|ow|au|aw", "o"),
)  # fmt: skip
_RULES = tuple((re.compile(pattern), sound) for pattern, sound in _DIGRAPHS)
_DOUBLED = re.compile(r"(.)\1+")

ALPHABET = "aeioubpdtgkszfvTSCjmnlrwh"
_NEAR = (
    ("aeiou", 0.45), ("bp", 0.5), ("dt", 0.5), ("gk", 0.5), ("sz", 0.4), ("fvT", 0.5), ("sST", 0.6),
    ("SCj", 0.5), ("mn", 0.5), ("lr", 0.6), ("wu", 0.5), ("ij", 0.4), ("tTd", 0.6), ("bv", 0.6),
    ("wr", 0.7), ("kt", 0.7), ("pt", 0.7),
)  # fmt: skip
"""Sounds that are taken for each other → what that costs, in place of 1."""


@lru_cache(maxsize=1 << 14)
def phones(word: str) -> str:
    """A word in :data:`ALPHABET`: "checkers" is "Cekers"."""
    spelt = re.sub(r"[^a-z]", "", word.lower())
    for pattern, sound in _RULES:
        spelt = pattern.sub(sound, spelt)
    return _DOUBLED.sub(r"\1", "".join(char for char in spelt if char in ALPHABET))


def joined(words: Iterable[str]) -> str:
    """Words as they sound one after the other."""
    return _DOUBLED.sub(r"\1", "".join(map(phones, words)))


@cache
def substitution() -> NDArray[np.float32]:
    """The cost of hearing one sound as another, [sounds + 1, sounds + 1]; the last fits nothing."""
    size = len(ALPHABET) + 1
    costs = np.ones((size, size), np.float32)
    np.fill_diagonal(costs[:-1, :-1], 0.0)
    for group, cost in _NEAR:
        at = [ALPHABET.index(char) for char in group]
        for one in at:
            for other in at:
                if one != other:
                    costs[one, other] = min(cost, costs[one, other])
    return costs


def coded(text: str) -> NDArray[np.intp]:
    """The places of sounds in :data:`ALPHABET`."""
    return np.array([ALPHABET.index(char) for char in text], dtype=np.intp)
