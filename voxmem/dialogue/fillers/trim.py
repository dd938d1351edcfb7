"""Cutting a foreign text down to a user turn: whole sentences, plain punctuation, given length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from voxmem.dialogue.fillers.shape import SECONDS, TOLERANCE
from voxmem.dialogue.leakage import find_leaks
from voxmem.records import Session, Turn
from voxmem.speech.estimate import estimate_seconds

_PLAIN = str.maketrans("‘’“”–—…\u00a0", "''\"\"--. ", "\u200b\ufeff")
_HESITATION = re.compile(
    r",?\s*\b(?:u[hm]+|e?rm?|hmm*|ah+|oh+|you know|i mean|kind of|sort of)\b\s*,?(?=\s|[.?!]|$)",
    re.IGNORECASE,
)
_LIKE = re.compile(r",\s*like,\s*|^(?:so|well|hey|okay|ok|like),?\s+(?:like,\s+)?", re.IGNORECASE)
_SPACED = re.compile(r"\s+([.,?!])")
_END = re.compile(r"(?<=[.?!])\s+")
_REPEATED = re.compile(r"([.,?!])[.,?!]+")
_SPEAKABLE = re.compile(r"[A-Za-z][A-Za-z0-9 ,.'?$%-]*[A-Za-z0-9%][.?]")
_FEWEST_WORDS = 3
_LONGEST = 140
"""Characters from which on no more sentences are added: about twice a usual turn."""


def sentences(text: str) -> list[str]:
    """The sentences of a text in plain punctuation, without what a speaker fills pauses with."""
    plain = " ".join(text.translate(_PLAIN).split())
    plain = _HESITATION.sub("", _REPEATED.sub(r"\1", plain))
    return [tidy for part in _END.split(plain) if (tidy := _tidy(part))]


def _tidy(sentence: str) -> str:
    text = _LIKE.sub(lambda match: " " if match.start() else "", sentence.strip(" ,-"))
    text = _SPACED.sub(r"\1", " ".join(text.split())).replace("!", ".").rstrip(",;: ")
    if not text or not text[0].isalnum():
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?" else ".")


def fault(sentence: str) -> str | None:
    """Why a sentence cannot be said in any session: characters, fragments, or a leak's channel."""
    if not sentence.isascii() or not _SPEAKABLE.fullmatch(sentence):
        return "characters that are not spoken"
    if len(sentence.split()) < _FEWEST_WORDS:
        return "fragments"
    return leak(sentence)


@lru_cache(maxsize=1 << 15)
def leak(text: str) -> str | None:
    """The channel that a user turn gives away, if any."""
    turn = Turn(role="user", text=text)
    leaks = find_leaks(Session(session_id="", topic="", turns=(turn,)))
    return f"leak: {leaks[0].channel}" if leaks else None


def fitted(parts: Sequence[str], target: float, tolerance: float = TOLERANCE) -> str | None:
    """The run of sentences whose estimated length comes nearest to ``target`` seconds.

    Returns:
        ``None`` if none comes within the tolerance.
    """
    text = min(_runs(parts), key=lambda run: abs(estimate_seconds(run) - target), default=None)
    if text is None:
        return None
    seconds = estimate_seconds(text)
    near = abs(seconds - target) <= tolerance and SECONDS[0] <= seconds <= SECONDS[1]
    return text if near else None


def _runs(parts: Sequence[str]) -> Iterator[str]:
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            run = " ".join(parts[start:end])
            yield run
            if len(run) > _LONGEST:
                break
