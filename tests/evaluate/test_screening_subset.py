"""A screening set as a subset: read from its file, asked as it is, what it says of the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evaluate.populations import population
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.subset import (
    ScreenedCell,
    ScreeningError,
    ScreeningItem,
    ScreeningSet,
    choose,
    estimate,
    estimated,
    parse,
    read_screening,
    stratum_of,
    tallies,
    weighted,
    write_screening,
)

QUESTIONS = population((4, 6))
ONE, TWO = dict.fromkeys(map(stratum_of, QUESTIONS))


def a_set(error: float | None = 0.02) -> ScreeningSet:
    """Two of four questions, and one of six."""
    return ScreeningSet(
        release_id="r-1",
        judge="rule-1",
        policy="paper",
        models=("a", "b", "c"),
        budgets=("8K",),
        per_cell=2,
        cells=(
            ScreenedCell(cell=ONE, population=4, asked=2, error=0.1),
            ScreenedCell(cell=TWO, population=6, asked=1, error=0.2),
        ),
        items=(
            ScreeningItem(question_id="q_01_003", weight=6, cell=TWO),
            ScreeningItem(question_id="q_00_001", weight=1.5, cell=ONE),
            ScreeningItem(question_id="q_00_000", weight=2.5, cell=ONE),
        ),
        errors=(
            ScreeningError(
                measure="accuracy", in_model=0.01, out_of_model=error, random=0.03, beaten=0.8
            ),
        ),
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "set.json"
    write_screening(a_set(), path)
    return path


def test_a_set_is_read_as_it_was_written(file: Path) -> None:
    assert read_screening(file) == a_set()
    subset = parse(f"screening:{file}")
    assert parse(str(subset)) == subset
    chosen = choose(subset, QUESTIONS)
    assert chosen.question_ids == ("q_01_003", "q_00_001", "q_00_000"), "in the set's own order"
    assert chosen.is_sample
    part = choose(parse(f"screening:{file}+cell:{ONE}"), QUESTIONS)
    assert part.question_ids == ("q_00_001", "q_00_000")


def test_weights_make_the_accuracy_and_the_error_is_the_measured_one(file: Path) -> None:
    right = {"q_01_003": False, "q_00_001": False, "q_00_000": True}
    found = estimated(parse(f"screening:{file}"), QUESTIONS, right)
    assert found.value == pytest.approx(2.5 / 10)
    assert found.standard_error == pytest.approx(0.02)
    assert found.high is not None
    assert found.high - 0.25 == pytest.approx(3.182 * 0.02, abs=1e-4), "t of three models"
    assert (found.asked, found.population) == (3, 10)
    assert str(found).startswith("25.0 % ± 2.0 (95 %: 18.6 to 31.4; 3 of 10 questions)")
    of_one = weighted(a_set(), QUESTIONS[:4], right)
    assert of_one.value == pytest.approx(2.5 / 4)
    assert of_one.standard_error == pytest.approx(0.1)
    plain = estimated(parse("all"), QUESTIONS, right)
    assert plain == estimate(tallies(QUESTIONS, right))


def test_what_was_not_answered_makes_the_error_greater() -> None:
    found = weighted(a_set(), QUESTIONS, {"q_01_003": True, "q_00_000": False})
    assert found.value == pytest.approx(0.6)
    assert found.standard_error == pytest.approx((0.02**2 + (0.4 * 1.5 / 4 / 2) ** 2) ** 0.5)
    lacking = weighted(a_set(), QUESTIONS, {"q_01_003": True})
    assert lacking.lacking == (ONE,)
    assert lacking.value == 1.0
    assert lacking.standard_error == pytest.approx(0.2)
    nothing = weighted(a_set(), QUESTIONS, {})
    assert nothing.value is None
    assert str(nothing) == "nothing is known"


def test_an_error_that_was_never_measured_is_not_invented() -> None:
    found = weighted(a_set(None), QUESTIONS, {"q_01_003": True, "q_00_000": False})
    assert found.value is not None
    assert found.standard_error is None
    assert found.low is None
    assert "not known" in str(found)


def test_a_set_of_another_release_is_refused(file: Path) -> None:
    with pytest.raises(UsageError, match="other questions") as caught:
        choose(parse(f"screening:{file}"), population((4, 7)))
    assert "voxmem screen" in str(caught.value.remedy)


@pytest.mark.parametrize(
    "terms", ["stratified:2", "question:q_00_000", "item:i", "screening:other.json"]
)
def test_its_weights_are_of_whole_cells(file: Path, terms: str) -> None:
    with pytest.raises(UsageError, match="as it is"):
        parse([f"screening:{file}", terms])


def test_what_is_no_set_is_refused_and_names_the_file(file: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_screening(tmp_path / "none.json")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="is no screening set"):
        read_screening(file)
    data = json.loads(whole)
    for spoil, why in (
        ({"items": data["items"][:2]}, "do not sum to 4"),
        ({"items": [*data["items"], data["items"][0]]}, "do not sum"),
        ({"cells": data["cells"][:1]}, "which is unknown"),
        ({"policy": "mine"}, "policy"),
    ):
        file.write_text(json.dumps(data | spoil))
        with pytest.raises(InputError, match=why):
            read_screening(file)
    file.write_text(json.dumps(data).replace("2.5", "NaN"))
    with pytest.raises(InputError):
        read_screening(file)
