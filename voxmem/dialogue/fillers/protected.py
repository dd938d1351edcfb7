"""What no filler may state or directly imply: the benchmark's facts and golds (VoxMem, B.5).

A fact says something of an entity. A text can only state or imply it if it speaks of that entity,
so an entity is protected whatever is said of it: by its name ("the lamp replacement"), by other
forms and orders of its words ("replace the lamp"), and by the name without its first word where
two words are left ("the short story night": "story night"). A text speaks of it when one turn
holds all content words of a name, compared by stem.

A value that could answer a question by itself is protected as well, in the same way: values of open
attributes ("a bag of zip ties"), and values and golds of two content words or more ("bank
transfer"). A number, a weekday or another single word of a closed list says nothing without its
entity, and ordinary talk cannot do without such words: those are not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

from voxmem.dialogue.lexicon import tokens
from voxmem.plan.catalog import catalog
from voxmem.records import Fact, Plan

_FUNCTION_WORDS = frozenset(
    "a an the this that these those my your our his her its their some any of to in on at by for"
    " with from into out up off and or but not no so as than is are be do did does have has had it"
    " i we you they he she me us them one more most less very too".split()
)
_ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ers", "er", "ies", "ied",
    "ed", "es", "ly", "al", "s", "e", "y",
)  # fmt: skip
_SHORTEST = 3
_COMPARED = 6
"""Letters of a stem that are compared: longer words that begin alike count as one."""


@dataclass(frozen=True)
class Statement:
    """What a text gives away."""

    reason: str
    """``entity`` or ``value``."""
    phrase: str
    """The protected phrase, as the benchmark has it."""


@dataclass(frozen=True)
class Protected:
    """Everything that is protected in one benchmark."""

    entities: tuple[str, ...]
    values: tuple[str, ...]

    @classmethod
    def of(cls, plans: Iterable[Plan]) -> Self:
        """Collects what the plans state and ask for."""
        entities: set[str] = set()
        values: set[str] = set()
        for plan in plans:
            for session in plan.sessions:
                entities.update(session.entities)
                for fact in session.facts:
                    entities.add(fact.entity)
                    values.update(_telling(fact))
            gold = plan.question.gold
            golds = gold if isinstance(gold, tuple) else (gold,)
            values.update(one for one in golds if isinstance(one, str) and len(stems(one)) > 1)
        return cls(tuple(sorted(entities)), tuple(sorted(values - entities)))

    def stated_in(self, text: str) -> Statement | None:
        """The first protected thing that a text speaks of, by reason and alphabet."""
        spoken = stems(text)
        found = [
            (reason, phrase)
            for stem in spoken & self._index.keys()
            for words, reason, phrase in self._index[stem]
            if words <= spoken
        ]
        return Statement(*min(found)) if found else None

    @cached_property
    def _index(self) -> dict[str, list[tuple[frozenset[str], str, str]]]:
        """Each phrase under its rarest stem, so that a text is compared with few of them."""
        every = [
            (words, reason, phrase)
            for reason, phrases in (("entity", self.entities), ("value", self.values))
            for phrase in phrases
            for words in _forms(phrase, named=reason == "entity")
        ]
        frequency = Counter(stem for words, _, _ in every for stem in words)
        index: defaultdict[str, list[tuple[frozenset[str], str, str]]] = defaultdict(list)
        for words, reason, phrase in every:
            rarest = min(words, key=lambda stem: (frequency[stem], stem))
            index[rarest].append((words, reason, phrase))
        return dict(index)


def stems(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(_stem(word) for word in tokens(text) if word not in _FUNCTION_WORDS)


def _telling(fact: Fact) -> Iterator[str]:
    """The value, if it says something without its entity."""
    if isinstance(fact.value, int):
        return
    known = catalog().attributes.get(fact.attribute)
    if len(stems(fact.value)) > 1 or (known is not None and known.kind == "open"):
        yield fact.value


def _forms(phrase: str, *, named: bool) -> Iterator[frozenset[str]]:
    words = [word for word in tokens(phrase) if word not in _FUNCTION_WORDS]
    whole = frozenset(map(_stem, words))
    if whole:
        yield whole
    if named and len(words) > 2:
        yield frozenset(map(_stem, words[1:]))


@lru_cache(maxsize=1 << 15)
def _stem(word: str) -> str:
    """The beginning that forms of a word share: "replacement" and "replace" are "replac"."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending)
            break
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return word[:_COMPARED]
