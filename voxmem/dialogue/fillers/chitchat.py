"""The BYU chit-chat corpus (chitchat-dataset): human chats, of which one side is kept.

The chats are private and carelessly typed. What remains are sentences in ordinary words that stand
alone and say nothing of the person, of places, of politics, of feelings or of the chat itself; the
first speaker's are the user's turns.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import dropwhile
from typing import Any

from voxmem.config import BuildConfig
from voxmem.dialogue.fillers.shape import Shape
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.dialogue.fillers.trim import fault, fitted, sentences
from voxmem.errors import InputError, MissingExtra
from voxmem.keys import rng

_END = re.compile(r"(?<=[.?!])\s+")
_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_YOU = frozenset("you your yours you're you've you'll you'd yourself u ur".split())
_DIGIT = re.compile(r"[0-9%$]")
_TOLERANCE = 1.0
"""Seconds by which a turn may miss the length drawn for it: much is cut away here already."""
_SEEN = 40
"""How often a word must occur in the corpus to be no typing error."""
_CAPITAL = 0.3
"""The share of capitals within sentences from which on a word is a name."""


class ChitchatSource:
    """Pieces of chats, each of as many turns as a session may have."""

    name = "chitchat"
    licence = "MIT (chitchat-dataset, BYU PCC lab)"

    def __init__(self, config: BuildConfig, shape: Shape) -> None:
        self._seed, self._shape = config.seed, shape
        self.left_out: Counter[str] = Counter()

    def dialogues(self) -> Iterator[RawDialogue]:
        """The usable turns of chat after chat, in pieces of one session each.

        Raises:
            MissingExtra: ``chitchat-dataset`` is not installed.
            InputError: Its data are not in its layout.
        """
        chats = _chats()
        ordinary = _ordinary(chats)
        for name, chat in chats.items():
            draw = rng("chitchat", self._seed, name)
            turns = []
            for said in chat[::2]:
                usable = list(dropwhile(_leans, self._usable(said, ordinary)))
                text = fitted(usable, self._shape.turn(draw).seconds, _TOLERANCE)
                if text is not None and not _leans(text):
                    turns.append(text)
                elif usable:
                    self.left_out["length"] += 1
            low, high = self._shape.turns
            while len(turns) >= low:
                count = min(draw.randint(low, high), len(turns))
                yield RawDialogue(origin=f"{name} {len(turns)}", texts=tuple(turns[:count]))
                del turns[:count]

    def _usable(self, said: list[str], ordinary: frozenset[str]) -> Iterator[str]:
        for part in (part for text in said for part in _END.split(text)):
            reason = _reason(part, ordinary)
            for sentence in () if reason else sentences(_mended(part)):
                reason = fault(sentence)
                if reason is None:
                    yield sentence
            if reason:
                self.left_out[reason] += 1


def _chats() -> dict[str, list[list[str]]]:
    """Chat → the texts of each turn; the two sides take turns."""
    try:
        import chitchat_dataset
    except ImportError as error:
        raise MissingExtra(
            "the chit-chat corpus is not installed",
            stage="write",
            remedy="pip install 'voxmem[chitchat]', or take 'chitchat' off the fillers",
        ) from error
    try:
        return {
            str(name): [[str(one["text"]) for one in turn] for turn in chat["messages"]]
            for name, chat in chitchat_dataset.Dataset().items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"its data are not as expected: {error!r}",
            item="chitchat-dataset",
            stage="write",
            remedy="install the version that pyproject.toml names",
        ) from error


def _ordinary(chats: Mapping[str, list[list[str]]]) -> frozenset[str]:
    """The words that many write, and that are no names: those are capitals within sentences."""
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for chat in chats.values():
        for said in chat:
            for text in said:
                words = _WORD.findall(text)
                first.update(word.lower() for word in words[:1])
                for word in words[1:]:
                    (small if word[0].islower() else capital)[word.lower()] += 1
    pronouns = {word for word in capital if word == "i" or word.startswith("i'")}
    return frozenset(
        word
        for word in small.keys() | pronouns
        if small[word] + capital[word] + first[word] >= _SEEN
        and (word in pronouns or capital[word] <= _CAPITAL * (small[word] + capital[word]))
    )


def _mended(part: str) -> str:
    """Usual spelling, no first word that only ties a sentence to the one before."""
    repair, words = _lists()["repair"], part.split()
    while words and words[0].lower().strip(",.!") in _dropped():
        del words[0]
    return _WORD.sub(lambda word: repair.get(word[0].lower(), word[0].lower()), " ".join(words))


def _reason(part: str, ordinary: frozenset[str]) -> str | None:
    """Why a sentence is not for an assistant, if it is not."""
    repair = _lists()["repair"]
    words = [repair.get(word, word).lower() for word in map(str.lower, _WORD.findall(part))]
    while words and words[0] in _dropped():
        del words[0]
    if not words or words[0] not in _openings() or words[-1] in _lists()["sentence"]["stops"]:
        return "fragments"
    if _DIGIT.search(part):
        return "figures"
    if part.endswith("?") and not _leans(words[0]):
        return "talk to a person"
    if not _YOU.isdisjoint(words):
        return "talk to a person"
    blocked = _blocked()
    for word in words:
        if word in blocked:
            return blocked[word]
    return None if ordinary.issuperset(words) else "names and rare words"


def _leans(sentence: str) -> bool:
    """Whether a sentence begins like one that needs another before it."""
    return sentence.split(maxsplit=1)[0].lower() in _lists()["sentence"]["follows"]


@cache
def _openings() -> frozenset[str]:
    limits = _lists()["sentence"]
    return frozenset((*limits["starts"], *limits["follows"]))


@cache
def _dropped() -> frozenset[str]:
    return frozenset(_lists()["sentence"]["drops"])


@cache
def _lists() -> dict[str, dict[str, Any]]:
    text = (files("voxmem.dialogue.fillers") / "chitchat.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _blocked() -> dict[str, str]:
    """Word → why a sentence with it is left out."""
    lists = _lists().items()
    return {word: reason for reason, parts in lists for word in parts.get("words", ())}
