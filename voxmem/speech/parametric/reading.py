"""A text as it is read out: phonemes, the words they make, and which of them a phrase is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from voxmem.errors import MissingExtra, SpeechError, UsageError
from voxmem.speech.text import spoken_text

Span = tuple[int, int]
"""Places [start, end) in a text."""

_UNSPOKEN = set(' ;:,.!?—…"()“”')
_WORD_ENDS = set("—–")


@dataclass(frozen=True)
class Sentence:
    """What the network speaks at once."""

    symbols: str
    """Phonemes, stress marks and punctuation of its alphabet."""
    ids: tuple[int, ...]
    """The symbols' numbers between two pads."""
    phrase: Span | None = None
    """The symbols of the phrase that was asked for, if they are here."""

    @property
    def words(self) -> tuple[Span, ...]:
        """The symbols of each word without the punctuation around it."""
        words, at = [], 0
        for part in self.symbols.split(" "):
            spoken = [at + place for place, symbol in enumerate(part) if symbol not in _UNSPOKEN]
            if spoken:
                words.append((spoken[0], spoken[-1] + 1))
            at += len(part) + 1
        return tuple(words)


def assets() -> Path:
    """The folder of what ``hibari-tts`` ships with.

    Raises:
        MissingExtra: It is not installed.
    """
    found = find_spec("hibari")
    if found is None or found.origin is None or find_spec("onnxruntime") is None:
        raise MissingExtra(
            "the package hibari-tts is not installed",
            stage="speak",
            remedy="pip install 'voxmem[speech]'",
        )
    return Path(found.origin).parent / "assets"


@cache
def reader() -> Reader:
    """The reader of this process.

    Raises:
        MissingExtra: ``hibari-tts`` is not installed.
    """
    return Reader(assets())


class Reader:
    """The text side of ``hibari-tts``. Safe to share between threads."""

    def __init__(self, assets: Path) -> None:
        from hibari import Hibari
        from hibari.g2p import G2P

        # Only the text side of the package object is used; it would load the model once more.
        self._text: Any = Hibari.__new__(Hibari)
        self._text._g2p = G2P()
        self._text.vocab = json.loads((assets / "vocab.json").read_text("utf-8"))
        self._lock = threading.Lock()

    def phonemes(self, text: str) -> str:
        """All symbols of a text, one sentence after the other.

        Raises:
            InputError: There is nothing to speak in it.
        """
        return " ".join(sentence.symbols for sentence in self.read(text))

    def read(self, text: str, phrase: Span | None = None) -> list[Sentence]:
        """The sentences of a text, with the words of the characters ``phrase`` marked.

        Raises:
            InputError: The text cannot be spoken.
            UsageError: The phrase is not in the text or holds no word.
            SpeechError: No sound comes of the text.
        """
        with self._lock:
            sentences = self._sentences(text)
            wanted = range(0) if phrase is None else self._words_of(phrase, text, sentences)
        if not sentences:
            raise SpeechError("no sound came of the text", item=repr(text[:60]), stage="speak")
        return list(_marked(sentences, wanted))

    def _sentences(self, text: str) -> list[Sentence]:
        known = self._text.vocab
        return [
            Sentence("".join(filter(known.__contains__, read)), tuple(self._text.ids(read)))
            for read in self._text.phonemize(spoken_text(text))
        ]

    def _words_of(self, phrase: Span, text: str, sentences: list[Sentence]) -> range:
        """The phrase's words among those of the text: all between what comes before and after it.

        Numbers and abbreviations are read as several words, so words are counted as they are read
        out, and what surrounds the phrase is read by itself.
        """
        start, end = _whole_words(phrase, text)
        words = range(self._count(text[:start]), _count(sentences) - self._count(text[end:]))
        if not words:
            raise SpeechError(
                f"the phrase {text[start:end]!r} has no words of its own",
                item=repr(text[:60]),
                stage="speak",
            )
        return words

    def _count(self, part: str) -> int:
        return _count(self._sentences(part)) if any(map(str.isalnum, part)) else 0


def _count(sentences: Iterable[Sentence]) -> int:
    return sum(len(sentence.words) for sentence in sentences)


def _marked(sentences: list[Sentence], wanted: range) -> Iterable[Sentence]:
    before = 0
    for sentence in sentences:
        words = [word for at, word in enumerate(sentence.words, before) if at in wanted]
        before += len(sentence.words)
        yield replace(sentence, phrase=(words[0][0], words[-1][1])) if words else sentence


def _whole_words(phrase: Span, text: str) -> Span:
    start, end = phrase
    if not (0 <= start < end <= len(text) and any(map(str.isalnum, text[start:end]))):
        raise UsageError(
            f"there is no phrase at the characters {start} to {end}",
            item=repr(text[:60]),
            stage="speak",
        )
    while start > 0 and not _ends_word(text[start - 1]):
        start -= 1
    while end < len(text) and not _ends_word(text[end]):
        end += 1
    return start, end


def _ends_word(character: str) -> bool:
    return character.isspace() or character in _WORD_ENDS
