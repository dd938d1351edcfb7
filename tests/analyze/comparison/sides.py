"""Sides of a comparison written by hand: a letter an item."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

from tests.analyze.marks import question
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.comparison import Side, decoding_of
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import AskedQuestion, History, Length, Placement, Response, Verdict

_LENGTH = Length(audio_seconds=1.0, audio_tokens=50, text_tokens=1, clips=1)
_STATUS = {"c": "correct", "w": "incorrect", "f": "not_judged", "r": "incorrect"}


def release(
    questions: list[AskedQuestion], budgets: tuple[str, ...] = ("8K",), name: str = "r-1"
) -> ReleaseRows:
    """A release as far as runs are compared on it."""
    histories = [
        History(
            item_id=f"{one.question_id}_{budget.lower()}",
            question_id=one.question_id,
            budget=budget,
            placements=(Placement(session_id="s0", timestamp=datetime(2025, 5, 1), role="filler"),),
            length=_LENGTH,
        )
        for one in questions
        for budget in budgets
    ]
    found = SimpleNamespace(
        release=SimpleNamespace(release_id=name),
        asked={one.question_id: one for one in questions},
        histories=histories,
        sessions={},
    )
    return cast(ReleaseRows, found)


def side(
    name: str,
    rows: ReleaseRows,
    letters: Mapping[str, str],
    *,
    judge: str = "rule-1",
    arm: str = "audio",
    rubric: str = "",
    **response: Any,
) -> Side:
    """Budget → a letter a question of the release: c(orrect), w(rong), f(ailed), r(efuses), or
    a dot where there is no response."""
    scored = [
        _scored(name, one, budget, letter, judge, arm, rubric, response)
        for budget, row in letters.items()
        for one, letter in zip(rows.asked.values(), row, strict=True)
        if letter != "."
    ]
    return Side(name, name, arm, judge, f"key of {name}", rows, tuple(scored), decoding_of(name))


def _scored(
    system: str,
    one: AskedQuestion,
    budget: str,
    letter: str,
    judge: str,
    arm: str,
    rubric: str,
    response: dict[str, Any],
) -> Scored:
    item = f"{one.question_id}_{budget.lower()}"
    text = {"f": None, "r": "I cannot tell: nothing in our conversations says so."}
    given = {"prompt_hash": "p" * 64, "adapter": "openai 1"}
    said = Response(
        response_id=f"{system} {item}",
        item_id=item,
        question_id=one.question_id,
        budget=budget,
        system=system,
        arm=arm,
        outcome="error" if letter == "f" else "ok",
        text=text.get(letter, "tea"),
        **(given | response),
    )
    status = "correct" if letter == "r" and one.gold is None else _STATUS[letter]
    read = Verdict.model_validate(
        {
            "response_id": said.response_id,
            "item_id": item,
            "judge": judge,
            "status": status,
            "rubric": rubric,
        }
    )
    return Scored(one, said, read)


def questions(number: int, refusals: int = 0) -> list[AskedQuestion]:
    """``q0``, ``q1``, …; the last ones are to be refused."""
    return [
        question(f"q{at}", **({} if at < number - refusals else {"gold": None}))
        for at in range(number)
    ]
