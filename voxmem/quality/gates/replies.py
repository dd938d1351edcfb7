"""What a gate's model must reply, and the strict reading of what it does reply."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from voxmem.models.outcome import Completion, Reply
from voxmem.models.text.schema import read

R = TypeVar("R", bound=BaseModel)

_THINKING = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class _Shape(BaseModel):
    # Reasons come first in every shape: a verdict that is written after them follows from them.
    model_config = ConfigDict(frozen=True, extra="forbid")

    why: str


class Solution(_Shape):
    """An answer that was worked out, and how firm it is."""

    verdict: Literal["determined", "likely", "insufficient"]
    answer: str
    sessions: list[str]


class Guess(_Shape):
    """An answer to a question whose history was not given."""

    basis: Literal["wording", "world_knowledge", "guess"]
    answer: str


class Problem(BaseModel):
    """Something that spoils an item, and where it shows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["leak", "alternative", "answerable"]
    answer: str
    sessions: list[str]
    quote: str


class Spoiled(Problem):
    """What is wrong with an answerable item."""

    kind: Literal["leak", "alternative"]


class Answered(Problem):
    """What answers a refusal item after all."""

    kind: Literal["answerable"]


class AnyAudit(_Shape):
    """The problems of an item."""

    problems: Sequence[Problem]


class Audit(AnyAudit):
    """The problems of an answerable item."""

    problems: list[Spoiled]


class RefusalAudit(AnyAudit):
    """The problems of a refusal item."""

    problems: list[Answered]


def parse(reply: Reply, shape: type[R]) -> R | str:
    """The reply as that shape, or what is wrong with it in words that its writer can act on.

    Accepted is one JSON object of exactly that shape, in a code fence or not, after the model's
    thinking if the server hands that on. Nothing is filled in.
    """
    text = _THINKING.sub("", reply.text or "", count=1)
    if _repeats_a_key(text):
        return "a key occurs twice in one object"
    return read(Completion(text, reply.finish_reason, reply.usage), shape)


def _repeats_a_key(text: str) -> bool:
    """Whether some object says two things under one name, of which a parser would keep the last."""
    repeats = False

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        repeats = repeats or len({name for name, _ in pairs}) < len(pairs)
        return dict(pairs)

    start, end = text.find("{"), text.rfind("}")
    try:
        json.loads(text[start : end + 1], object_pairs_hook=look)
    except (ValueError, RecursionError):
        return False  # the reader says what is wrong
    return repeats
