"""The assistant's side by templates. It sees the words so far and nothing else, and its replies
never repeat, confirm or sum up what the user said (VoxMem, Appendix B.2)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from voxmem.dialogue.slots import fill
from voxmem.dialogue.views import VisiblePrefix
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.length import text_tokens

MIN_TOKENS, MAX_TOKENS = 10, 15
"""Whisper tokens of a reply (VoxMem, Appendix B.6)."""

_TRIES = 400
_ALIKE = 4
"""Words."""

Act = Literal["method", "part", "trouble", "opinion", "request", "memo", "statement"]
_QUESTION = re.compile(r"[^.?]*\?")
_ASKED_TO = re.compile(r"^[^?]*?\b(?:could|can|will) you\b")
_OPEN = re.compile(r"\b(?:how|what|which|who|where|when|why)\b")
_PART = re.compile(r"\b(?:which part|first|where would|matters most)\b")
_TROUBLE = re.compile(
    r"\b(?:overlook|(?:to|usually) forget|forgotten|underestimate|wrong|misjudge|skip|regret"
    r"|mix up|mistakes?|pitfalls?|trouble|tricky|watch out|attention|effort|problems?)\b"
)
_MEMO = re.compile(r"\b(?:please (?:keep|make a note|remember|save|add)|keep that)\b")
_REQUEST = re.compile(r"\b(?:please|help me|i would like you to|if you could)\b")


class Parts(BaseModel):
    """What replies of one kind are put together from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heads: tuple[str, ...]
    bodies: tuple[str, ...]


class ReplyWords(BaseModel):
    """The parts of replies; slots are shared by all kinds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    acts: dict[Act, Parts]
    slots: dict[str, tuple[str, ...]]


@cache
def reply_words() -> ReplyWords:
    """The wordings that ship with the package."""
    text = (files("voxmem.dialogue") / "assistant.toml").read_text(encoding="utf-8")
    return ReplyWords.model_validate(tomllib.loads(text))


class TemplateAssistant:
    """Replies from templates; the words follow from the visible prefix alone."""

    def reply(self, seen: VisiblePrefix) -> str:
        """A reply to the last user text that shares no phrase with an earlier one.

        Raises:
            ConstructionError: The session is longer than the templates have words for.
        """
        parts, slots = reply_words().acts[act_of(seen.texts[-1])], reply_words().slots
        draw = rng("assistant words", list(seen.texts))
        said = {phrase for text in seen.texts[1::2] for phrase in _phrases(text)}
        for _ in range(_TRIES):
            head, body = draw.choice(parts.heads), draw.choice(parts.bodies)
            text = _join(head, fill(body, slots, draw))
            if said.isdisjoint(_phrases(text)) and MIN_TOKENS <= text_tokens(text) <= MAX_TOKENS:
                return text
        raise ConstructionError("there is no reply that was not given before", stage="write")


def _phrases(text: str) -> set[str]:
    """All runs of so many words that two replies with one in common would sound alike."""
    words = text.lower().split()
    return {" ".join(words[at : at + _ALIKE]) for at in range(len(words) - _ALIKE + 1)}


def act_of(text: str) -> Act:
    """What a user text calls for, going by its wording."""
    lowered = text.lower()
    if _MEMO.search(lowered):
        return "memo"
    asked = _QUESTION.search(lowered)
    if not asked:
        wanted = bool(_REQUEST.search(lowered))
        return ("trouble" if _TROUBLE.search(lowered) else "request") if wanted else "statement"
    question = asked.group()
    if asked_to := _ASKED_TO.match(question):
        if not _OPEN.search(asked_to.group()):
            return "trouble" if _TROUBLE.search(question) else "request"
    if not _OPEN.search(question):
        return "trouble" if _TROUBLE.search(question) else "opinion"
    if _PART.search(question):
        return "part"
    return "trouble" if _TROUBLE.search(question) else "method"


def _join(head: str, body: str) -> str:
    return f"{head} {body}" if head else body[0].upper() + body[1:]
