"""Word error rate between what was to be said and what a recogniser heard."""

from __future__ import annotations

import re

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_FILLERS = {"um", "uh", "hmm", "mm", "mhm"}
_SAME = {"ok": "okay", "mr": "mister", "dr": "doctor", "percent": "per cent", "versus": "vs"}
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?(?![a-z0-9])|[a-z]+(?:'[a-z]+)*|\d")


def number_words(number: int) -> list[str]:
    """A cardinal from 0 to 999,999 as words, without "and"."""
    if number >= 1000:
        rest = number_words(number % 1000) if number % 1000 else []
        return [*number_words(number // 1000), "thousand", *rest]
    if number >= 100:
        rest = number_words(number % 100) if number % 100 else []
        return [_ONES[number // 100], "hundred", *rest]
    if number >= 20:
        return [_TENS[number // 10], *([_ONES[number % 10]] if number % 10 else [])]
    return [_ONES[number]]


def ordinal_words(number: int) -> list[str]:
    """An ordinal as words ("twenty", "third")."""
    *head, last = number_words(number)
    if last in _ORDINALS:
        return [*head, _ORDINALS[last]]
    return [*head, last[:-1] + "ieth" if last.endswith("y") else last + "th"]


def normal_words(text: str) -> list[str]:
    """Lower-case words without punctuation and fillers, numbers written out: two ways of writing
    the same speech become the same list."""
    out: list[str] = []
    plain = text.lower().replace("’", "'").replace("$", " dollars ").replace("%", " percent ")
    plain = re.sub(r"\b([ap])\.\s?m\b\.?", r"\1m", plain).replace(":", " ")
    for token in _TOKEN.findall(plain):
        out.extend(_spelt(token))
    return [word for word in out if word not in _FILLERS and word != "and"]


def _spelt(token: str) -> list[str]:
    if not token[0].isdigit():
        bare = token.replace("'", "")
        return _SAME.get(bare, bare).split()
    digits = re.sub(r"\D", "", token.split(".", maxsplit=1)[0])
    if len(digits) > 6:
        return [_ONES[int(digit)] for digit in digits]
    if token[-1].isalpha():
        return ordinal_words(int(digits))
    if len(digits) == 4 and "," not in token and 1100 <= int(digits) < 2100 and digits[1:] != "000":
        return _year(int(digits))
    decimals = token.split(".")[1] if "." in token else ""
    point = ["point", *(_ONES[int(digit)] for digit in decimals)] if decimals else []
    return number_words(int(digits)) + point


def _year(number: int) -> list[str]:
    high, low = divmod(number, 100)
    if low == 0:
        return [*number_words(high), "hundred"]
    return [*number_words(high), *(["oh"] if low < 10 else []), *number_words(low)]


def word_error_rate(reference: str, hypothesis: str) -> float:
    """Substitutions, deletions and insertions over the words of the reference, after
    :func:`normal_words`. Without any reference word: 0 if nothing was heard, else 1."""
    wanted, heard = normal_words(reference), normal_words(hypothesis)
    if not wanted:
        return float(bool(heard))
    row = list(range(len(heard) + 1))
    for i, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
            diagonal, row[j] = row[j], best
    return row[-1] / len(wanted)
