"""What a guess is worth, held against guesses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.quality.gates.families import desk
from voxmem.evaluate.controls import _guess
from voxmem.judge.rule import grade
from voxmem.quality.gates.chance import Try, chance_level, is_given_away
from voxmem.records import AnswerSpace, Question
from voxmem.taxonomy import AnswerType

SPACES: list[tuple[AnswerType, dict[str, Any], Any, float]] = [
    (AnswerType.CATEGORICAL, {"options": ("red", "blue", "green")}, "red", 1 / 3),
    (AnswerType.YES_NO, {"options": ("yes", "no")}, "no", 1 / 2),
    (AnswerType.NUMBER, {"low": 1, "high": 8}, 4, 1 / 8),
    (
        AnswerType.ORDERED_LIST,
        {"options": ("red", "blue", "green"), "length": 2},
        ("blue", "red"),
        1 / 6,
    ),
    (AnswerType.FREE_TEXT, {"options": ("red", "blue")}, "red", 1 / 2),
]


def question(kind: AnswerType, space: dict[str, Any], gold: Any) -> Question:
    update = {"answer_type": kind, "space": AnswerSpace(**space), "gold": gold}
    return desk().question.model_copy(update=update)


@pytest.mark.parametrize(("kind", "space", "gold", "level"), SPACES)
def test_it_is_the_rate_at_which_guessing_succeeds(
    kind: AnswerType, space: dict[str, Any], gold: Any, level: float
) -> None:
    asked = question(kind, space, gold)
    assert chance_level(asked) == pytest.approx(level)
    tries = 1500
    hits = sum(grade(asked, _guess(kind, asked.space, 1, str(at)))[0] for at in range(tries))
    assert hits / tries == pytest.approx(level, abs=0.045), "3.5 standard errors at most"


@pytest.mark.parametrize(
    ("kind", "space", "level"),
    [
        (AnswerType.UNORDERED_SET, {"options": ("a", "b", "c")}, 1 / 7),
        (AnswerType.ORDERED_LIST, {"options": ("a", "b"), "length": 3}, 1 / 8),
        (AnswerType.CATEGORICAL, {}, 0.0),
        (AnswerType.FREE_TEXT, {}, 0.0),
        (AnswerType.NUMBER, {}, 0.0),
        (AnswerType.NUMBER, {"low": 0}, 0.0),
        (AnswerType.ORDERED_LIST, {}, 0.0),
        (AnswerType.UNORDERED_SET, {}, 0.0),
    ],
)
def test_open_spaces_and_sets(kind: AnswerType, space: dict[str, Any], level: float) -> None:
    assert chance_level(question(kind, space, "a")) == pytest.approx(level)


KNOWN, LUCKY, MISSED, WRONG = Try(True, True), Try(True, False), Try(False, False), Try(False, True)


@pytest.mark.parametrize(
    ("tries", "chance", "expected"),
    [
        ([KNOWN, KNOWN, MISSED], 0.5, True),
        ([KNOWN, MISSED, MISSED], 0.5, False),
        ([KNOWN, LUCKY, LUCKY], 0.5, False),
        ([LUCKY, LUCKY, LUCKY], 0.5, False),
        ([LUCKY, LUCKY, LUCKY], 0.05, True),
        ([LUCKY, LUCKY, MISSED], 0.0, False),
        ([WRONG, WRONG, WRONG], 0.0, False),
        ([KNOWN], 0.5, True),
        ([LUCKY], 0.25, False),
    ],
)
def test_what_gives_the_gold_away(tries: list[Try], chance: float, expected: bool) -> None:
    assert is_given_away(tries, chance) is expected
