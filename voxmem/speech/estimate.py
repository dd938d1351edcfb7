"""How long a turn will sound, from its text alone: for planning, before anything is spoken."""

from __future__ import annotations

import re

from voxmem.errors import UsageError

_NUMBER = re.compile(r"[$€£]?\d[\d,.:]*\d|[$€£]?\d")
_LETTERS_A_DIGIT = 4.6
_LETTERS_OF_MONEY = 6
_CLAUSE = re.compile(r"[,;:—]\s")
_SENTENCE = re.compile(r"[.!?]+(?=\s+\S)")

# Least squares of relative errors on 33 sentences, averaged over the voices, edges included.
_SECONDS_A_LETTER = 0.0607
_SECONDS_A_CLAUSE = 0.295
_SECONDS_A_BREAK = 0.269
_SECONDS = 0.505

_FACTOR = {
    "neutral": 1.0,
    "excited": 0.93,
    "hesitant": 1.39,
    "monotone": 1.0,
    "reflective": 1.42,
    "sad": 1.11,
    "tense": 1.0,
    "whispered": 1.0,
    "fast": 0.84,
    "slow": 1.31,
    "emphatic": 1.12,
}


def estimate_seconds(text: str, delivery: str = "neutral") -> float:
    """Seconds of the clip that the embedded engine makes of ``text``, its edges included.

    It is of the average voice; one voice is up to 8 % slower or faster. On sentences left out of
    the fit, the mean absolute error is 6 % over the voices' mean and 7 % for single voices.

    Raises:
        UsageError: The delivery is unknown.
    """
    if delivery not in _FACTOR:
        raise UsageError(f"there is no delivery {delivery!r}", stage="allocate")
    spoken = _NUMBER.sub(_as_letters, text)
    seconds = (
        _SECONDS
        + _SECONDS_A_LETTER * sum(character.isalpha() for character in spoken)
        + _SECONDS_A_CLAUSE * len(_CLAUSE.findall(text))
        + _SECONDS_A_BREAK * len(_SENTENCE.findall(text))
    )
    return max(seconds, 0.8) * _FACTOR[delivery]


def _as_letters(match: re.Match[str]) -> str:
    digits = sum(character.isdigit() for character in match.group())
    money = _LETTERS_OF_MONEY if match.group()[0] in "$€£" else 0
    return "x" * round(_LETTERS_A_DIGIT * digits + money)
