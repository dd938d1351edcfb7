"""What a reply commits to: the text without its wrapping, thinking or quotation.

A system may answer in JSON, in a code fence, behind ``<think>``, or after reasoning aloud. This
module finds the words that count; it decides nothing about them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from voxmem.judge.normalise import clean

_THINKING = re.compile(r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.S)
_FENCE = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.S)
_MARKUP = re.compile(
    r"[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|__|~~|<[^<>\n]{1,40}>|^[ \t]*(?:[>#]+|[-*•]\s)[ \t]*", re.M
)
_QUOTED = re.compile(r"\"([^\"\n]*)\"|(?<![\w'])'([^'\n]+)'(?![\w'])")
_OPENS = re.compile(r"(?:^|\b(?:answer|reply|response|result)\b[^.\n]{0,12})\s*$")
_CLOSES = re.compile(r"\s*(?:\Z|[^\w\s]|is (?:my|the)\b)")
_MARKER = re.compile(
    r"\b(?P<final>final |correct )?(?:answer|verdict|conclusion|correction)\s*"
    r"(?:is\b|would be\b|:|=|->|→)\s*"
    r"(?!not\b)(?P<colon>:?)"
)
_ANSWER_KEYS = ("final_answer", "answer", "response", "result", "output")

QUOTATION = "quotation"
"""Stands for words that a reply quotes and does not say itself."""


def body(text: str) -> str:
    """The clean text of a reply: thinking, code fence, JSON wrapper and markup removed."""
    text = _THINKING.sub(" ", clean(text))
    if fenced := _FENCE.match(text):
        text = fenced[1]
    text = _unwrap(text.strip())
    return _MARKUP.sub(" ", text).replace("_", " ").strip()


def _unwrap(text: str) -> str:
    """The answer inside a JSON object or string, if the text is one."""
    if not text[:1] or text[0] not in "{[":
        return text
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        lowered = {str(name).casefold(): item for name, item in value.items()}
        named = [lowered[name] for name in _ANSWER_KEYS if name in lowered]
        if not named and len(lowered) != 1:
            return text
        value = named[0] if named else next(iter(lowered.values()))
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(str(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).casefold() if isinstance(value, str | int | float) else text


def without_quotations(text: str) -> str:
    """``text`` (of :func:`body`) with reported words replaced by :data:`QUOTATION`.

    Quotes around the whole reply or right behind "answer" are only decoration.
    """

    def replace(hit: re.Match[str]) -> str:
        inside = hit[1] if hit[1] is not None else hit[2]
        own = _OPENS.search(text[: hit.start()]) and _CLOSES.match(text, hit.end())
        return inside if own else f" {QUOTATION} "

    return _QUOTED.sub(replace, text)


def committed(text: str) -> tuple[str, bool]:
    """The part of ``text`` (of :func:`body`) that is the answer, and whether it was announced.

    Everything behind the last "final answer:", else behind the first "answer:" or "the answer
    is", to the end of the reply: what follows a commitment can still contradict it, what comes
    before it cannot. "Actually" and "wait" announce nothing: a second answer after them
    contradicts the first.
    """
    marks = list(_MARKER.finditer(text))
    if not marks:
        return text, False
    final = [mark for mark in marks if mark["final"]]
    start = (final[-1] if final else marks[0]).end()
    rest = text[start:].strip()
    return (rest, True) if rest else (text, False)
