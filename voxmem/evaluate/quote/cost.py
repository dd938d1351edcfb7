"""Dollars of one item: the model's answer and the judge's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from voxmem.evaluate.quote.load import Load
from voxmem.evaluate.quote.records import together
from voxmem.judge import models_of
from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.judge.request import request
from voxmem.length import text_tokens
from voxmem.models.entry import ModelEntry
from voxmem.models.price import request_dollars, tier_of
from voxmem.prompts import Prompts
from voxmem.records import AskedQuestion, Record

ANSWER_TOKENS = 50
"""Of an answer, where none was seen yet: it is asked to be concise. An estimate, and said so."""
VERDICT_TOKENS = 20
"""Of a judge's ``{"verdict": "correct"}``, an estimate likewise."""


class Cost(Record):
    """What one item is expected to come to, and at most."""

    answer_tokens: float
    """Expected, hidden thinking included."""
    most_tokens: int
    """That the answer may have."""
    dollars: float | None
    """``None``: no price is known."""
    dollars_most: float | None
    """With the longest answer that is allowed."""


def runs_here(entry: ModelEntry) -> bool:
    """Whether it runs on this machine, so that nobody sends a bill."""
    if entry.backend in ("transformers", "worker"):
        return True
    address = str(entry.settings.get("base_url") or "")
    return urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")


def cost(load: Load, entry: ModelEntry, answer_tokens: float) -> Cost:
    """The cost of asking the model. Nothing is taken to be cached.

    Args:
        load: What the request carries.
        entry: The model. One that runs here costs nothing; others have a price table, or none.
        answer_tokens: Expected of an answer.
    """
    most = entry.decoding.max_output_tokens
    expected = min(answer_tokens, most)
    return Cost(
        answer_tokens=expected,
        most_tokens=most,
        dollars=_dollars(entry, load.text_tokens, load.audio_tokens, expected),
        dollars_most=_dollars(entry, load.text_tokens, load.audio_tokens, most),
    )


def judge_dollars(
    question: AskedQuestion,
    judge: str,
    answer_tokens: float,
    entries: Mapping[str, ModelEntry],
    prompts: Prompts,
) -> float | None:
    """The price of one verdict, of all models that a judge asks together: 0 by rules and where it
    was given elsewhere, ``None`` if a price is not known. What a pre-judge saves is left out."""
    answerable = question.expected_response == "answer"
    rubric = prompts.answerable_judge if answerable else prompts.ar_judge
    asked = text_tokens(rubric.text) + text_tokens(request(question, "")) + round(answer_tokens)
    models = [name for name in models_of(judge) if not name.startswith(IMPORTED)]
    if any(name not in entries for name in models):
        return None
    return together(_dollars(entries[name], asked, 0, VERDICT_TOKENS) for name in models)


def _dollars(entry: ModelEntry, text: int, audio: int, output: float) -> float | None:
    if entry.price is None:
        return 0.0 if runs_here(entry) else None
    tier = tier_of(entry.price, text + audio)
    return request_dollars(tier, text=text, audio=audio, cached=0, output=output)
