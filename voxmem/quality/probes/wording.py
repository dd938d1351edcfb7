"""What of a clip's sound follows from its plan: from who speaks, and from the words.

Voices are planned. Words are the matter of other probes: a turn of two sentences has a pause, one
full of sibilants another spectrum, and neither says how it was recorded.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import MissingExtra
from voxmem.records import Clip
from voxmem.speech.estimate import counts
from voxmem.speech.parametric.reading import reader

Rows = dict[str, NDArray[np.float64]]
"""Clip id → numbers."""

_SYLLABLE = re.compile(r"[aeiouy]+")
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_CLAUSE = re.compile(r"(?<=[,;:.?!])\s+")
_SIGNS = ",;:.?!-—'"
_PAIRS = ("th", "sh", "ch", "ng", "ee", "oo", "ou", "ea", "er", "tion")
_RIDGE = 1.0


def beyond_plan(clips: Mapping[str, Clip], rows: Mapping[str, NDArray[np.float64]]) -> Rows:
    """The rows less the mean of their voice, and less what a linear fit to the words explains.

    The fit knows neither roles nor questions.
    """
    names = list(rows)
    if not names:
        return {}
    voices = [clips[name].spec.voice for name in names]
    texts = [clips[name].spec.text for name in names]
    said = np.hstack([np.stack([_words(text) for text in texts]), _phonemes(texts)])
    words = _less_mean(said, voices)
    found = _less_mean(np.stack([rows[name] for name in names]), voices)
    normal = words.T @ words + _RIDGE * np.eye(words.shape[1])
    rest = found - words @ np.linalg.solve(normal, words.T @ found)
    return dict(zip(names, rest, strict=True))


def _less_mean(values: NDArray[np.float64], voices: Sequence[str]) -> NDArray[np.float64]:
    out = values.copy()
    for voice in set(voices):
        own = np.array([name == voice for name in voices])
        out[own] -= values[own].mean(axis=0)
    return out


def _words(text: str) -> NDArray[np.float64]:
    """What the sound of a text may hang on: how long it is, where it pauses, how it is spelt."""
    letters, clauses, breaks = counts(text)
    low, length = text.lower(), max(letters, 1)
    syllables = max(len(_SYLLABLE.findall(low)), 1)
    inner = text.rstrip().rstrip(".!?")
    signs = [inner.count(sign) for sign in _SIGNS]
    spelling = [low.count(part) * 26 / length for part in (*string.ascii_lowercase, *_PAIRS)]
    return np.array(
        [
            *(np.log(length), np.log(length) ** 2, 30 / length),
            *(np.log(syllables), np.log(max(len(text.split()), 1)), len(text.split())),
            *(clauses, breaks, clauses > 0, breaks > 0, breaks > 1),
            *(50 * (clauses + breaks) / length, text.rstrip().endswith("?")),
            10 * sum(map(str.isdigit, text)) / length,
            *_parts(_SENTENCE.split(text.strip())),
            *_parts(_CLAUSE.split(text.strip())),
            *signs,
            *(count > 0 for count in signs),
            *spelling,
        ],
        dtype=np.float64,
    )


def _phonemes(texts: Sequence[str]) -> NDArray[np.float64]:
    """How often each phoneme is said, of 26, [texts, phonemes]; no column where there is nothing to
    read the texts with. Spelling alone leaves the long vowels of some words unexplained."""
    try:
        reading = reader()
    except MissingExtra:
        return np.empty((len(texts), 0))
    counted = [Counter(reading.phonemes(text)) for text in texts]
    symbols = sorted(set().union(*counted))
    rows = [[26 * found[symbol] / found.total() for symbol in symbols] for found in counted]
    return np.array(rows, dtype=np.float64)


def _parts(texts: Sequence[str]) -> Iterator[float]:
    """How the letters are dealt out: short parts are drawn out, and the last of each more so."""
    letters = np.array([sum(map(str.isalpha, text)) for text in texts], dtype=np.float64)
    yield from (np.exp(-letters / 8).sum(), np.exp(-letters / 4).sum(), letters.min() / 10)
    yield from (np.log(letters[0] + 1), np.log(letters[-1] + 1))
    yield float(texts[0].endswith("?"))
