"""Looking up forbidden words and phrases in a text, fast: most texts hold none.

Words are compared as whole tokens, so "restrained" holds no "train". A phrase is looked for only
where its rarest word occurs.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product

from voxmem.dialogue.inflect import INFLECTIONS

_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
_CHOICE = re.compile(r"\(([^)]*)\)")


def tokens(text: str) -> list[str]:
    """The words of a text in lower case, without possessive endings ("bird's" is "bird")."""
    found = _TOKEN.findall(text.lower().replace("’", "'"))
    if "'" not in text and "’" not in text:
        return found
    return [token if token in _CONTRACTED else token.removesuffix("'s") for token in found]


_CONTRACTED = frozenset({"it's", "that's", "name's", "let's", "he's", "she's", "what's", "here's"})


class Phrases:
    """Words and phrases, each under one label.

    Each is filed under its rarest word, so that a text is compared with few of them.
    """

    def __init__(self, labelled: Iterable[tuple[str, str]]) -> None:
        every = [(tokens(phrase), label) for phrase, label in labelled]
        frequency = Counter(word for words, _ in every for word in words)
        self._of: dict[str, list[tuple[str, str]]] = {}
        for words, label in every:
            rarest = min(words, key=lambda word: (frequency[word], -len(word)))
            self._of.setdefault(rarest, []).append((" ".join(words), label))
        self._keys = frozenset(self._of)

    def find(self, spoken: list[str]) -> Iterator[tuple[str, str]]:
        """(label, phrase) for everything that occurs in a tokenised text."""
        hits = self._keys.intersection(spoken)
        if not hits:
            return
        padded = f" {' '.join(spoken)} "
        for token in dict.fromkeys(token for token in spoken if token in hits):
            for phrase, label in self._of[token]:
                if phrase == token or f" {phrase} " in padded:
                    yield label, phrase


@cache
def channels() -> Mapping[str, frozenset[str]]:
    """The forbidden words and phrases of every channel, all inflections included."""
    return {channel: frozenset(_expand(lists)) for channel, lists in _lists().items()}


@cache
def names() -> frozenset[str]:
    """Given names, capitalised, that are no other words."""
    return frozenset(_lists()["identity"]["names"])


@cache
def lexicon() -> Phrases:
    """The words and phrases of all channels, to look up together."""
    return Phrases((phrase, name) for name, each in channels().items() for phrase in sorted(each))


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    text = (files("voxmem.dialogue") / "lexicon.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _expand(lists: dict[str, list[str]]) -> Iterator[str]:
    for kind, inflect in INFLECTIONS.items():
        for stem in lists.get(kind, ()):
            yield from inflect(stem)
    for phrase in lists.get("phrases", ()):
        parts = _CHOICE.split(phrase)
        choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
        yield from ("".join(chosen) for chosen in product(*choices))
