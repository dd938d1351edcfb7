"""Text to comparable tokens: one form for case, punctuation, contractions, numbers and units.

Nothing in the rule judge compares substrings: two texts are equal when their tokens are, so gold
``no`` never meets "know" and gold ``1`` never meets "10".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "“": '"', "”": '"'})
_THOUSANDS = re.compile(r"(?<![\w.,])(\d{1,3})((?:,\d{3})+)(?![\d,])")
_TOKEN = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|\d+(?:\.\d+)?(?:st|nd|rd|th)?(?![^\W_])|[€$£%]"
    r"|[^\W_]+(?:'[^\W_]+)*"
)
_IS_AFTER = frozenset("it that there here what who where how this he she let".split())
_CONTRACTED = {"re": "are", "ve": "have", "ll": "will", "m": "am", "d": "would"}
_BARE_NOT = re.compile(
    r"(do|does|did|is|are|was|were|has|have|had|could|would|should|must|might|need|ca|wo)n'?t"
)
_STEMS_OF_NOT = {"ca": "can", "wo": "will"}
_WHOLE = {"cannot": ("can", "not"), "let's": ("let", "us"), "dunno": ("do", "not", "know")}


def clean(text: str) -> str:
    """Unicode NFKC, lower case, plain quotes, no thousands separators; layout kept."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return _THOUSANDS.sub(lambda hit: hit[1] + hit[2].replace(",", ""), folded)


@lru_cache(maxsize=20_000)
def _expand(word: str) -> tuple[str, ...]:
    """One written word as its full words: "can't" → can not, "lamp's" → lamp."""
    if word in _WHOLE:
        return _WHOLE[word]
    if hit := _BARE_NOT.fullmatch(word):
        return (_STEMS_OF_NOT.get(hit[1], hit[1]), "not")
    head, mark, tail = word.partition("'")
    if not mark:
        return (word,)
    if tail == "s":
        return (head, "is") if head in _IS_AFTER else (head,)
    if tail in _CONTRACTED:
        return (head, _CONTRACTED[tail])
    return (head + tail,)


def words(text: str) -> tuple[str, ...]:
    """The words of ``text`` in order, contractions written out, punctuation gone."""
    return words_of_clean(clean(text))


def words_of_clean(text: str) -> tuple[str, ...]:
    """Like :func:`words`, for text that went through :func:`clean`."""
    return tuple(full for word in _TOKEN.findall(text) for full in _expand(word))


# --- numbers ----------------------------------------------------------------------------------

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
}  # fmt: skip
_MULTIPLES = {"once": 1, "twice": 2, "thrice": 3}
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_DIGIT_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


def _spelled(run: tuple[str, ...], start: int) -> tuple[int, int]:
    """The value spelled out from ``start`` and the index after it; equal indices mean none."""
    total = current = 0
    index = start
    room = (
        1000  # The largest value that may still be added to the group: "two three" is two numbers.
    )
    while index < len(run):
        word = run[index]
        if word in _UNITS and _UNITS[word] < room:
            current, room = current + _UNITS[word], 1
        elif word in _TENS and room > 10:
            current, room = current + _TENS[word], 10
        elif word == "hundred" and 0 < current < 100 and index > start:
            current, room = current * 100, 100
        elif word in _SCALES and word != "hundred" and current and index > start:
            total, current, room = total + current * _SCALES[word], 0, 1000
        elif word == "and" and run[index - 1] in _SCALES and _continues(run, index + 1):
            pass
        else:
            break
        index += 1
    return total + current, index


def _continues(run: tuple[str, ...], index: int) -> bool:
    return index < len(run) and (run[index] in _UNITS or run[index] in _TENS)


def number(token: str) -> float | None:
    """The value of a token that :func:`tokens` made from a number, else ``None``."""
    return float(token) if _DIGITS.fullmatch(token) else None


def ordinal(token: str) -> int | None:
    """The place that an ordinal token names ("2nd" → 2), else ``None``."""
    hit = _DIGIT_ORDINAL.fullmatch(token)
    return int(hit[1]) if hit else None


# --- one form ---------------------------------------------------------------------------------

_ARTICLES = frozenset(("a", "an", "the"))
_SAME = {
    "€": "euro", "euros": "euro", "eur": "euro", "$": "dollar", "dollars": "dollar",
    "usd": "dollar", "£": "pound", "pounds": "pound", "gbp": "pound", "%": "percent",
    "grey": "gray", "colour": "color", "colours": "colors", "o'clock": "oclock", "ok": "okay",
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
            ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"),
            ("october", "oct"), ("november", "nov"), ("december", "dec"),
        ),
        1,
    )
    for name in names
}  # fmt: skip
_MONTH_NAMES = {number: name for name, number in reversed(_MONTHS.items())}
_CURRENCY = frozenset(("euro", "dollar", "pound"))


def tokens(text: str) -> tuple[str, ...]:
    """The canonical tokens of ``text``: no articles, numbers as digits, dates as day month year."""
    return canonical(words(text))


def canonical(run: tuple[str, ...]) -> tuple[str, ...]:
    """The canonical form of words that :func:`words` returned."""
    out: list[str] = []
    index = 0
    while index < len(run):
        value, after = _spelled(run, index)
        if after > index:
            if after < len(run) and run[after] in _ORDINALS and value % 10 == 0 and value >= 20:
                out.append(f"{value + _ORDINALS[run[after]]}th")  # "twenty first"
                after += 1
            else:
                out.append(str(value))
            index = after
            continue
        out.extend(_one(run[index]))
        index += 1
    return _dates(_amounts(out))


@lru_cache(maxsize=20_000)
def _one(word: str) -> tuple[str, ...]:
    if word in _ARTICLES:
        return ()
    if word in _ORDINALS:
        return (f"{_ORDINALS[word]}th",)
    if word in _MULTIPLES:
        return (str(_MULTIPLES[word]), "times")
    if hit := _DIGIT_ORDINAL.fullmatch(word):
        return (f"{int(hit[1])}th",)
    if _DIGITS.fullmatch(word):
        return (f"{float(word):.10g}" if "." in word else str(int(word)),)
    if len(word) == 10 and word[4] == word[7] == "-" and 1 <= int(word[5:7]) <= 12:
        return (str(int(word[8:])), _MONTH_NAMES[int(word[5:7])], word[:4])
    return (_SAME.get(word, word),)


def _amounts(run: list[str]) -> list[str]:
    """Currency after its number: "euro 30" (written "€30") becomes "30 euro"."""
    for index in range(len(run) - 1):
        before = run[index - 1] if index else ""
        if (
            run[index] in _CURRENCY
            and number(before) is None
            and number(run[index + 1]) is not None
        ):
            run[index], run[index + 1] = run[index + 1], run[index]
    return run


def _dates(run: list[str]) -> tuple[str, ...]:
    """Days of months in one form: "may 9th", "9th of may" and "9 may" become "9 may"."""
    out: list[str] = []
    for word in run:
        if word in _MONTHS and out:
            if out[-1] == "of" and len(out) > 1 and _day(out[-2]):
                out.pop()
            if day := _day(out[-1]):
                out[-1] = day
                out.append(_MONTH_NAMES[_MONTHS[word]])
                continue
        if (
            (day := _day(word))
            and out
            and out[-1] in _MONTHS
            and not (len(out) > 1 and _day(out[-2]))
        ):
            out.insert(len(out) - 1, day)
            out[-1] = _MONTH_NAMES[_MONTHS[out[-1]]]
            continue
        out.append(word)
    return tuple(out)


def _day(token: str) -> str | None:
    digits = token[:-2] if token.endswith("th") else token
    return digits if digits.isdigit() and 1 <= int(digits) <= 31 else None


_SUFFIXES = ("ness", "ing", "ly", "ed", "es", "s", "y", "e")


@lru_cache(maxsize=20_000)
def stem(token: str) -> str:
    """A token without its inflection: whispering, whispered → whisper; rainy → rain."""
    if not token.isalpha():
        return token
    while cut := next((end for end in _SUFFIXES if token.endswith(end)), ""):
        if len(token) - len(cut) < 3 or (cut == "s" and token.endswith("ss")):
            break
        token = token[: -len(cut)]
    return token[:-1] if token[-1:] == token[-2:-1] else token
