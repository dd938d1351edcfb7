"""The world that is spoken of, as a dictionary: what there is, what may be said of it, by which
words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from voxmem.memory.parse.search import Finder
from voxmem.plan.catalog import catalog
from voxmem.quality.hearing.words import normal_words
from voxmem.records import Value

_ARTICLES = frozenset({"a", "an", "the", "some"})

Phrase = tuple[str, ...]


class Cues(BaseModel):
    """Words by which an attribute is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nouns: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    everyday: bool = False


@dataclass(frozen=True)
class Lexicon:
    """Everything that can be mentioned."""

    entities: Finder
    entity_of: Mapping[str, str]
    """Phrase, as it is looked for → the entity's name."""
    topic_of: Mapping[str, str]
    """Entity → topic."""
    values: Finder
    value_of: Mapping[str, tuple[str, Value]]
    """Phrase → attribute and value."""
    domains: Mapping[str, frozenset[int]]
    """Attribute that is a number → what it may be."""
    cues: Mapping[str, Cues]

    def nouns(self, attribute: str) -> tuple[Phrase, ...]:
        """By which the attribute itself is spoken of, longest first."""
        return _phrases(self.cues[attribute].nouns)

    def words_of(self, attribute: str) -> tuple[Phrase, ...]:
        """All its cues."""
        cues = self.cues[attribute]
        return _phrases((*cues.nouns, *cues.verbs, *cues.units))


@cache
def lexicon() -> Lexicon:
    """The lexicon of the content that ships with the package."""
    content = catalog()
    entities = {_bare(name): name for names in content.topics.values() for name in names}
    values = {
        _bare(str(value)): (name, value)
        for name, attribute in content.attributes.items()
        if attribute.kind != "number"
        for value in attribute.domain
    }
    return Lexicon(
        entities=Finder(tuple(entities)),
        entity_of=entities,
        topic_of={name: topic for topic, names in content.topics.items() for name in names},
        values=Finder(tuple(values)),
        value_of=values,
        domains={
            name: frozenset(number for number in attribute.domain if isinstance(number, int))
            for name, attribute in content.attributes.items()
            if attribute.kind == "number"
        },
        cues=_cues(),
    )


def holds(words: tuple[str, ...], phrases: tuple[Phrase, ...]) -> bool:
    """Whether one of the phrases is among the words."""
    return any(place_of(words, phrase) >= 0 for phrase in phrases)


def place_of(words: tuple[str, ...], phrase: Phrase) -> int:
    """Where a phrase begins; -1 if it does not occur."""
    size = len(phrase)
    return next((at for at in range(len(words) - size + 1) if words[at : at + size] == phrase), -1)


def _phrases(texts: tuple[str, ...]) -> tuple[Phrase, ...]:
    made = (tuple(normal_words(text)) for text in texts)
    return tuple(sorted(dict.fromkeys(made), key=lambda phrase: -len(phrase)))


def _bare(phrase: str) -> str:
    """Without its article, numbers and signs as they are spoken."""
    words = normal_words(phrase)
    return " ".join(words[1:] if words[0] in _ARTICLES and len(words) > 1 else words)


def _cues() -> dict[str, Cues]:
    """Those of the cue list; of other attributes, the words of their names."""
    text = (files("voxmem.memory.parse") / "cues.toml").read_text(encoding="utf-8")
    listed = {name: Cues.model_validate(row) for name, row in tomllib.loads(text).items()}
    return {
        name: listed.get(name) or Cues(nouns=(attribute.noun, attribute.plural))
        for name, attribute in catalog().attributes.items()
    }
