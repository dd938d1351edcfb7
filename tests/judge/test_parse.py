"""A model judge's reply in every shape seen, and any shape not seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.judge import parse_verdict


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"verdict": "correct"}', "correct"),
        ('{"verdict": "incorrect"}', "incorrect"),
        ('{"verdict":"correct"}.', "correct"),
        ('{"verdict": "correct."}', "correct"),
        ('{"verdict": "Correct"}', "correct"),
        ('{"Verdict": "INCORRECT"}', "incorrect"),
        ('```json\n{"verdict": "correct"}\n```', "correct"),
        ("```\n{'verdict': 'incorrect'}\n```", "incorrect"),
        ("{'verdict': 'correct'}", "correct"),
        ("{'verdict': True}", "correct"),
        ('{"verdict": true}', "correct"),
        ('{"verdict": false}', "incorrect"),
        ('{"verdict": "true"}', "correct"),
        ('"correct"', "correct"),
        ("correct", "correct"),
        ("Incorrect.", "incorrect"),
        ('{"reason": "same value", "verdict": "correct"}', "correct"),
        ('Here is my verdict:\n{"verdict": "incorrect"}', "incorrect"),
        ('{"verdict": "correct"}\n{"verdict": "correct"}', "correct"),
        ('<think>{"verdict": "incorrect"}?</think>{"verdict": "correct"}', "correct"),
        ('{"verdict": "correct"} … {"verdict": "incorrect"}', "unparsed"),
        ('{"verdict": "correct", "verdict": "incorrect"}', "unparsed"),
        ('{"verdict": "partially correct"}', "unparsed"),
        ('{"verdict": null}', "unparsed"),
        ('{"verdict": 1}', "unparsed"),
        ('{"verdict": ["correct"]}', "unparsed"),
        ('{"verdict": correct}', "unparsed"),
        ('{"score": "correct"}', "unparsed"),
        ('{"correct": true}', "unparsed"),
        ("{}", "unparsed"),
        ("The answer is not correct.", "unparsed"),
        ("correct or incorrect", "unparsed"),
        ("correct\nincorrect", "unparsed"),
        ('{"verdict": "correct"', "unparsed"),
        ("null", "unparsed"),
        ("", "unparsed"),
        (None, "unparsed"),
    ],
)
def test_shapes(reply: str | None, verdict: str) -> None:
    assert parse_verdict(reply) == verdict


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(
                ['{"verdict"', ":", '"correct"', '"incorrect"', "}", "{", "[", "'", "true", "```",
                 "verdict", ",", "\\", "\n", "<think>"]
            ),
            max_size=20,
        ).map("".join),
    )
)  # fmt: skip
def test_never_an_exception(reply: str) -> None:
    assert parse_verdict(reply) in ("correct", "incorrect", "unparsed")


@given(st.text(max_size=60))
def test_no_default(reason: str) -> None:
    """Text that does not say a verdict yields none, whatever else it says."""
    if "correct" not in reason.casefold() and reason.strip(" \t\r\n\"'`*.!").casefold() not in (
        "true",
        "false",
    ):
        assert parse_verdict(reason) == "unparsed"
