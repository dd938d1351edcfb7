"""What a sample says of the whole, held against drawing it again and again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.evaluate.populations import population
from voxmem.evaluate.subset import Tally, choose, estimate, parse, stratum_of, tallies
from voxmem.keys import rng

SIZES = (60, 20, 24, 30, 16, 40, 20, 24, 30, 18, 20, 12, 8, 10, 9)
QUESTIONS = population(SIZES)
RATES = (0.9, 0.2, 0.5, 0.6, 0.1, 0.4, 0.8, 0.3, 0.5, 0.7, 0.25, 0.9, 1.0, 0.0, 0.5)


def answers() -> dict[str, bool]:
    """Question → whether a system is right: other shares in every stratum."""
    strata = list(dict.fromkeys(stratum_of(each) for each in QUESTIONS))
    rate = dict(zip(strata, RATES, strict=True))
    return {
        each.question_id: rng("right", each.question_id).random() < rate[stratum_of(each)]
        for each in QUESTIONS
    }


def test_the_standard_error_is_that_of_drawing_again_and_again() -> None:
    """300 samples of the same population: their mean is the truth, their spread the error that
    each of them tells of itself, and 19 of 20 intervals hold the truth."""
    right = answers()
    truth = sum(right.values()) / len(right)
    found = []
    for seed in range(300):
        asked = choose(parse(f"stratified:80@{seed}"), QUESTIONS).question_ids
        found.append(estimate(tallies(QUESTIONS, {name: right[name] for name in asked})))
    values = np.array([each.value for each in found], dtype=np.float64)
    errors = np.array([each.standard_error for each in found], dtype=np.float64)
    spread = float(values.std(ddof=1))
    assert abs(float(values.mean()) - truth) < 3 * spread / math.sqrt(len(values))
    assert 0.95 < float(errors.mean()) / spread < 1.15
    held = [each.low <= truth <= each.high for each in found]  # type: ignore[operator]
    assert 0.93 < sum(held) / len(held) <= 0.995


def test_without_weights_the_answer_would_be_another() -> None:
    strata = [
        Tally(stratum="large", population=90, asked=10, correct=9),
        Tally(stratum="small", population=10, asked=10, correct=0),
    ]
    found = estimate(strata)
    assert found.value == pytest.approx(0.81)
    # 10 of 90, right at a rate of 10/12, for 0.9 of the whole; the other stratum was asked whole
    expected = math.sqrt(0.81 * 80 / 89 * (10 / 12) * (2 / 12) / 10)
    assert found.standard_error == pytest.approx(expected)
    assert found.high == pytest.approx(min(1.0, 0.81 + 1.959964 * expected))
    assert (found.asked, found.population) == (20, 100)


def test_the_whole_has_no_error() -> None:
    right = answers()
    found = estimate(tallies(QUESTIONS, right))
    assert found.value == pytest.approx(sum(right.values()) / len(right))
    assert found.standard_error == 0.0
    assert found.low == found.value == found.high


def test_a_sample_that_is_all_right_is_not_certain() -> None:
    asked = choose(parse("stratified:30"), QUESTIONS).question_ids
    found = estimate(tallies(QUESTIONS, dict.fromkeys(asked, True)))
    assert found.value == pytest.approx(1.0)
    assert found.standard_error is not None
    assert found.standard_error > 0.03


def test_strata_of_which_nothing_counts_are_named_and_left_out() -> None:
    strata = [
        Tally(stratum="a", population=30, asked=3, correct=3),
        Tally(stratum="b", population=70, asked=0, correct=0),
    ]
    found = estimate(strata)
    assert (found.value, found.lacking) == (1.0, ("b",))
    nothing = estimate(strata[1:])
    assert (nothing.value, nothing.standard_error, nothing.low) == (None, None, None)
    assert nothing.lacking == ("b",)
