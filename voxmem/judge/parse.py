"""A model judge's reply → a verdict, or ``unparsed``. Never an exception, never a default.

Accepted is what says one verdict and only one: a JSON object with the key ``verdict`` (in a code
fence, with single quotes, with a boolean, with other keys), a JSON string, or the bare word, each
with or without a full stop. Everything else, and every contradiction, is ``unparsed``.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any, Literal

VERSION = 1
"""Raise it when the same reply becomes another verdict."""

Parsed = Literal["correct", "incorrect", "unparsed"]

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.S | re.I)
_OBJECT = re.compile(r"\{[^{}]*\}")
_WORDS: dict[str, Parsed] = {
    "correct": "correct",
    "incorrect": "incorrect",
    "true": "correct",
    "false": "incorrect",
}


def parse_verdict(reply: str | None) -> Parsed:
    """The verdict that a judge's reply states."""
    if not reply:
        return "unparsed"
    text = _THINKING.sub(" ", reply)
    objects = _OBJECT.findall(text)
    if objects:
        # Prose around the objects is explanation, unless it states a verdict of its own.
        found = {_of_object(item) for item in objects} - {None}
    else:
        found = {_of_word(text)} - {None}
    verdicts = sorted(item for item in found if item)
    return verdicts[0] if len(verdicts) == 1 else "unparsed"


def _of_object(text: str) -> Parsed | None:
    """The verdict of one JSON-like object, ``None`` if it has no ``verdict``."""
    value = _loads(text)
    if not isinstance(value, dict):
        return "unparsed" if "verdict" in text.casefold() else None
    stated = [item for key, item in value.items() if str(key).strip().casefold() == "verdict"]
    if not stated:
        return None
    verdicts = {_of_value(item) for item in stated}
    return verdicts.pop() if len(verdicts) == 1 else "unparsed"


def _of_value(value: Any) -> Parsed:
    if isinstance(value, bool):
        return "correct" if value else "incorrect"
    return (_of_word(value) if isinstance(value, str) else None) or "unparsed"


def _of_word(text: str) -> Parsed | None:
    """The verdict of a reply that is one word, in quotes or a fence or not."""
    bare = re.sub(r"```\w*", " ", text)
    return _WORDS.get(bare.strip(" \t\r\n\"'`*.!").casefold())


def _loads(text: str) -> Any:
    """JSON, else a Python literal (single quotes), else ``None``. Repeated keys are kept apart."""
    try:
        pairs = json.loads(text, object_pairs_hook=list)
        keys = [str(key).strip().casefold() for key, _ in pairs]
        if keys.count("verdict") > 1 and len({repr(item) for _, item in pairs}) > 1:
            return None
        return dict(pairs)
    except (ValueError, TypeError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
