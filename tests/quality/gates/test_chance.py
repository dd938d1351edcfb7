"""What a guess is worth, held against all guesses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations, permutations, product
from typing import Any

import pytest

from tests.quality.gates.families import desk
from voxmem.judge.rule import grade
from voxmem.quality.gates.chance import Try, chance_level, is_given_away
from voxmem.records import AnswerSpace, Question
from voxmem.taxonomy import AnswerType

ABC = ("red", "blue", "green")


def question(kind: AnswerType, space: dict[str, Any], gold: Any) -> Question:
    update = {"answer_type": kind, "space": AnswerSpace(**space), "gold": gold}
    return desk().question.model_copy(update=update)


@pytest.mark.parametrize(
    ("kind", "space", "gold", "guesses"),
    [
        (AnswerType.CATEGORICAL, {"options": ABC}, "red", ABC),
        (AnswerType.FREE_TEXT, {"options": ABC}, "red", ABC),
        (AnswerType.YES_NO, {"options": ("yes", "no")}, "no", ("yes", "no")),
        (AnswerType.NUMBER, {"low": 1, "high": 8}, 4, map(str, range(1, 9))),
        (
            AnswerType.ORDERED_LIST,
            {"options": ABC, "length": 2},
            ("blue", "red"),
            map(", ".join, permutations(ABC, 2)),
        ),
        (
            AnswerType.ORDERED_LIST,
            {"options": ("red", "blue"), "length": 3},
            ("blue", "red", "blue"),
            map(", ".join, product(("red", "blue"), repeat=3)),
        ),
        (
            AnswerType.UNORDERED_SET,
            {"options": ABC},
            ("blue", "red"),
            map(", ".join, chain.from_iterable(combinations(ABC, size) for size in (1, 2, 3))),
        ),
    ],
)
def test_it_is_the_share_of_all_guesses_that_are_right(
    kind: AnswerType, space: dict[str, Any], gold: Any, guesses: Iterable[str]
) -> None:
    asked = question(kind, space, gold)
    right = [grade(asked, guess)[0] for guess in guesses]
    assert chance_level(asked) == pytest.approx(sum(right) / len(right))


@pytest.mark.parametrize(
    ("kind", "space"),
    [
        (AnswerType.CATEGORICAL, {}),
        (AnswerType.FREE_TEXT, {}),
        (AnswerType.NUMBER, {}),
        (AnswerType.NUMBER, {"low": 0}),
        (AnswerType.ORDERED_LIST, {}),
        (AnswerType.UNORDERED_SET, {}),
    ],
)
def test_in_an_open_space_no_hit_is_luck(kind: AnswerType, space: dict[str, Any]) -> None:
    assert chance_level(question(kind, space, "a")) == 0.0


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
