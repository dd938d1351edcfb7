"""How probable a recogniser finds the words that were to be said, against what it hears itself.

A recogniser's transcript alone cannot gate: every fifth good clip has some slip in it. The gap
between the reference and the best hypothesis is small where a recogniser slips and wide where a
word is missing, another or added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from voxmem.quality.hearing import listen
from voxmem.quality.hearing.recogniser import LONGEST_SECONDS
from voxmem.quality.hearing.words import normal_words
from voxmem.speech.engine import SAMPLE_RATE, Audio

Span = tuple[int, int]

_MORE_TOKENS = 20
"""How many tokens more than the reference a hypothesis may have before it is cut off."""


class Gap(NamedTuple):
    """A place where the hypothesis has other words than the reference."""

    wanted: tuple[str, ...]
    heard: tuple[str, ...]
    span: Span
    """Characters [start, end) of the reference; an empty one where words were added."""
    margin: float
    """Nats by which the hypothesis becomes less probable (below 0) with the wanted words here."""


class Heard(NamedTuple):
    """What a recogniser makes of a clip that should say a text."""

    text: str
    """The best hypothesis (greedy)."""
    margin: float
    """log P(reference) − log P(best hypothesis), nats, with the reference spelt as the hypothesis
    is wherever the words agree; 0 where all do."""
    gaps: tuple[Gap, ...]

    @property
    def added(self) -> int:
        """Words that are heard where none, or fewer, were to be said."""
        return sum(max(0, len(gap.heard) - len(gap.wanted)) for gap in self.gaps)

    def worst(self, span: Span) -> Gap | None:
        """The gap with the lowest margin among those that touch a span of the reference."""
        touching = [gap for gap in self.gaps if _touch(gap.span, span)]
        return min(touching, key=lambda gap: gap.margin, default=None)


class _Word(NamedTuple):
    """A normal word, and the written one that it is (a part of)."""

    normal: str
    place: int
    span: Span


class _Text(NamedTuple):
    written: tuple[str, ...]
    words: tuple[_Word, ...]


class _Piece(NamedTuple):
    """Consecutive words that both texts have, or that they differ in."""

    same: bool
    wanted: tuple[_Word, ...]
    heard: tuple[_Word, ...]


def is_short(audio: Audio) -> bool:
    """Whether 24 kHz audio can be heard at once."""
    return audio.size <= LONGEST_SECONDS * SAMPLE_RATE


def hear(audio: Audio, reference: str) -> Heard:
    """Transcribe 24 kHz speech and compare it with the text that it should be. Ask
    :func:`is_short` first.

    Raises:
        InputError: The audio is silent.
        MissingExtra: The recogniser is not installed.
    """
    recogniser = listen.recogniser()
    sound = recogniser.encode(listen.resampled(audio))
    longest = len(recogniser.tokens(reference)) + _MORE_TOKENS
    hypothesis = recogniser.best(sound, longest)
    wanted, heard = _text(reference), _text(hypothesis)
    pieces = list(_pieces(wanted, heard))
    differing = [piece for piece in pieces if not piece.same]
    if not differing:
        return Heard(hypothesis, 0.0, ())

    def score(swapped: Sequence[_Piece]) -> float:
        return recogniser.log_probability(sound, _spelt(pieces, swapped, wanted, heard))

    base, whole = score(()), score(differing)
    gaps = tuple(
        Gap(
            tuple(word.normal for word in piece.wanted),
            tuple(word.normal for word in piece.heard),
            _span(piece, pieces),
            (whole if len(differing) == 1 else score((piece,))) - base,
        )
        for piece in differing
    )
    return Heard(hypothesis, whole - base, gaps)


def _text(text: str) -> _Text:
    written, words = [], []
    for place, found in enumerate(re.finditer(r"\S+", text)):
        written.append(found.group())
        words += [_Word(word, place, found.span()) for word in normal_words(found.group())]
    return _Text(tuple(written), tuple(words))


def _pieces(wanted: _Text, heard: _Text) -> Iterator[_Piece]:
    """What agrees and what differs, in order. Words that are only divided otherwise agree."""
    one, other = [it.normal for it in wanted.words], [it.normal for it in heard.words]
    for _, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        same = "".join(one[i:j]) == "".join(other[k:m])
        yield _Piece(same, wanted.words[i:j], heard.words[k:m])


def _spelt(pieces: Sequence[_Piece], swapped: Sequence[_Piece], wanted: _Text, heard: _Text) -> str:
    """The hypothesis, with the reference's words in the swapped pieces."""
    out: list[str] = []
    for piece in pieces:
        text, words = (wanted, piece.wanted) if piece in swapped else (heard, piece.heard)
        out += [text.written[place] for place in dict.fromkeys(word.place for word in words)]
    return " ".join(out)


def _span(piece: _Piece, pieces: Sequence[_Piece]) -> Span:
    if piece.wanted:
        return piece.wanted[0].span[0], piece.wanted[-1].span[1]
    before = [word for it in pieces[: pieces.index(piece)] for word in it.wanted]
    end = before[-1].span[1] if before else 0
    return end, end


def _touch(gap: Span, span: Span) -> bool:
    return gap[0] < span[1] and span[0] < gap[1]
