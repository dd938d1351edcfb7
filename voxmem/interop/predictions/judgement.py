"""What a scorer adds to a row: ``verdict``, ``judge``, ``judge_raw``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from voxmem.judge.imported import PREFIX
from voxmem.judge.parse import Parsed, parse_verdict
from voxmem.records import Verdict

UNNAMED = "unnamed"
"""A judge that a file does not name."""


@dataclass(frozen=True)
class Judgement:
    """One judge's word on one answer."""

    judge: str
    status: Parsed
    raw: str | None
    """What the judge said, where the file has it."""


def judgement(verdict: Any, judge: Any, raw: Any) -> Judgement | None:
    """The three columns of one row; ``None``: nobody has judged it. What cannot be read is
    ``unparsed``."""
    if verdict is None and judge is None and raw is None:
        return None
    name = (_text(judge) or "").strip().removeprefix(PREFIX)
    if isinstance(verdict, bool):
        verdict = "true" if verdict else "false"
    return Judgement(name or UNNAMED, parse_verdict(_text(verdict)), _text(raw))


def judgement_columns(verdict: Verdict) -> dict[str, str | None]:
    """The three columns of a verdict, as the official scorer writes them."""
    decided = verdict.status in ("correct", "incorrect")
    rule = verdict.detail if decided else ""
    return {
        "verdict": verdict.status if decided else None,
        "judge": verdict.judge.removeprefix(PREFIX),
        "judge_raw": verdict.reply if verdict.reply is not None else rule or None,
    }


def _text(value: Any) -> str | None:
    """A value as text that can be written: JSON may hold half of a surrogate pair."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
