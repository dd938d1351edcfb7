"""Which things a session speaks of: what is named clearly, or again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from voxmem.memory.parse.lexicon import lexicon
from voxmem.memory.parse.search import Mention
from voxmem.memory.parse.sentences import Sentence

_LEAST = 0.68
"""Score from which a phrase may be a mention; what sounds like it by chance reaches that too."""
_SURE = 0.86
"""From here on one mention is enough."""
_TOGETHER = 0.3
"""What mentions must exceed :data:`_LEAST` by, all turns together, to be enough."""
_BESIDE = 0.95
"""What another entity than the one that is spoken of most must reach."""


_FAINTER = 0.1
"""Beside a clear mention, one that is fainter by this is none."""


_FAINTEST = 0.5
"""What a name must score to be worth listening for again."""


@dataclass(frozen=True)
class Named:
    """One sentence, and the thing that it names."""

    entity: str | None
    rest: tuple[str, ...]
    """Its words, with ``"|"`` in place of the name."""


@dataclass(frozen=True)
class Spoken:
    """The entities of a session."""

    main: str | None
    """The one that is spoken of most."""
    every: frozenset[str]
    named: tuple[tuple[Named, ...], ...]
    """Turn by turn, sentence by sentence."""


def spoken_of(turns: Sequence[tuple[Sentence, ...]]) -> Spoken:
    """The entities of a session's user turns."""
    found = [[_mentions(sentence.words) for sentence in turn] for turn in turns]
    weights: dict[str, float] = {}
    best: dict[str, float] = {}
    for turn in found:
        of_turn: dict[str, float] = {}
        for one in (one for sentence in turn for one in sentence):
            name = lexicon().entity_of[one.phrase]
            of_turn[name] = max(one.score, of_turn.get(name, 0.0))
        for name, score in of_turn.items():
            weights[name] = weights.get(name, 0.0) + score - _LEAST
            best[name] = max(score, best.get(name, 0.0))
    sure = [name for name in weights if best[name] >= _SURE or weights[name] >= _TOGETHER]
    main = max(sure, key=lambda name: (weights[name], name), default=None)
    every = frozenset(name for name in sure if name == main or best[name] >= _BESIDE)
    named = tuple(
        tuple(_named(it.words, heard, every) for it, heard in zip(turn, of, strict=True))
        for turn, of in zip(turns, found, strict=True)
    )
    return Spoken(main, every, named)


def likeliest(turns: Sequence[tuple[Sentence, ...]], count: int) -> tuple[str, ...]:
    """The names, as they are spoken, that a session of which nothing is sure may speak of: those
    that sound most like what was heard, all turns together."""
    weights: dict[str, float] = {}
    for turn in turns:
        best: dict[str, float] = {}
        for sentence in turn:
            for one in lexicon().entities.all(sentence.words, _FAINTEST):
                best[one.phrase] = max(one.score, best.get(one.phrase, 0.0))
        for phrase, score in best.items():
            weights[phrase] = weights.get(phrase, 0.0) + (score - _FAINTEST) ** 2
    return tuple(sorted(weights, key=lambda phrase: (-weights[phrase], phrase))[:count])


def _named(words: tuple[str, ...], heard: Sequence[Mention], every: frozenset[str]) -> Named:
    known = [one for one in heard if lexicon().entity_of[one.phrase] in every]
    clearest = max((one.score for one in known), default=0.0)
    known = [one for one in known if one.score > clearest - _FAINTER]
    rest = list(words)
    for one in known:
        rest[one.start : one.end] = ["|"] * (one.end - one.start)
    likeliest = max(known, key=lambda one: one.score, default=None)
    entity = lexicon().entity_of[likeliest.phrase] if likeliest else None
    return Named(entity, tuple(rest))


@lru_cache(maxsize=1 << 15)
def _mentions(words: tuple[str, ...]) -> tuple[Mention, ...]:
    return tuple(lexicon().entities.find(words, _LEAST))
