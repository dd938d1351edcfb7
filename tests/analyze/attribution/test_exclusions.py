"""What commits to no answer is found by rule."""

from __future__ import annotations

import pytest

from tests.analyze.marks import question, scored_row
from voxmem.analyze.attribution.exclusions import exclusion
from voxmem.taxonomy import AnswerType


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("insufficient evidence", "refusal"),
        ("I am a text model and cannot hear audio.", "refusal"),
        ("I don't know.", "refusal"),
        ("There is not enough information to say who the", "refusal"),
        ("", "empty"),
        (" \n", "empty"),
        ("The voice in the second session was the", "cut"),
        ("I heard a crackling fire and", "cut"),
        ("It was about the…", "cut"),
        ("The sounds were (rain, wind", "cut"),
        ("First rain, then wind,", "cut"),
        ("lower drawer", None),
        ("Option A", None),
        ("3", None),
        ("The one that you were talking about", None),
        ("I'm not sure, but I would say Tuesday", None),
        ("I heard a crackling fire.", None),
    ],
)
def test_kinds_of_replies(text: str, found: str | None) -> None:
    row = scored_row("q0", "8K", "incorrect", text=text)
    assert exclusion(question("q0"), row.response) == found


def test_outcomes_decide_where_there_is_no_sentence() -> None:
    said = scored_row("q0", "8K", "incorrect", text="It rained.", outcome="truncated").response
    assert exclusion(question("q0"), said) == "cut"
    for outcome in ("truncated_empty", "blocked", "error"):
        failed = scored_row("q0", "8K", "not_judged", text=None, outcome=outcome).response
        assert exclusion(question("q0"), failed) == "empty"


def test_no_may_answer_a_question_that_asks_for_yes_or_no() -> None:
    polar = question("q0", gold="yes", answer_type=AnswerType.YES_NO)
    said = scored_row("q0", "8K", "incorrect", text="No, nobody mentioned it.").response
    assert exclusion(polar, said) is None
