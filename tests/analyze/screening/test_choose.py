"""Which questions are chosen, what each counts for, and how well that holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.analyze.marks import question, scores
from tests.analyze.screening.simulated import SIZES, crowd
from voxmem.analyze.scores import Mark
from voxmem.analyze.screening import errors_table, screen
from voxmem.analyze.screening.cells import Aim, aim_of, cells_of, changes
from voxmem.analyze.screening.choose import choose_cell, second_moments
from voxmem.errors import UsageError
from voxmem.evaluate.subset import weighted
from voxmem.taxonomy import CELLS

C, W, R, A = Mark.CORRECT, Mark.INCORRECT, Mark.REJECTED, Mark.ABSENT


def test_one_of_each_kind_of_question_stands_for_its_kind() -> None:
    """Eight questions of two kinds, six and two: two of them give every accuracy."""
    kinds = np.array([0, 0, 1, 0, 0, 1, 0, 0])
    answers = np.array([[C, W], [W, C], [C, C], [W, W]])
    found = scores(answers[:, kinds][:, None, :].tolist())
    chosen = screen(found, release_id="r", per_cell=2, draws=20)
    at = {f"q{place}": kind for place, kind in enumerate(kinds)}
    assert sorted(at[item.question_id] for item in chosen.items) == [0, 1]
    for item in chosen.items:
        # Shrinking leaves a little of the equal weights of four.
        assert item.weight == pytest.approx((6, 2)[at[item.question_id]], abs=0.6)
    assert sum(item.weight for item in chosen.items) == pytest.approx(8)
    accuracy = chosen.errors[0]
    assert accuracy.out_of_model is not None
    assert accuracy.random is not None
    assert accuracy.out_of_model < accuracy.random / 2


def test_no_exchange_of_two_questions_improves_the_choice() -> None:
    found = crowd(6, (24,))
    [cell] = cells_of(found, "paper")
    aim = aim_of([cell], changes(found, np.ones((6, 4), dtype=bool)))
    moments = second_moments(cell, aim)
    at = choose_cell(cell, aim, 8).at

    def error(places: np.ndarray) -> float:
        off = np.full(24, -1 / 24)
        off[places] += 1 / 8
        return float(off @ moments @ off)

    others = np.setdiff1d(np.arange(24), at)
    best = min(error(np.append(np.delete(at, i), other)) for i in range(8) for other in others)
    assert error(at) <= best + 1e-9


def test_the_moments_are_the_squared_error_of_a_choice() -> None:
    """Before shrinking: accuracy over the budgets, and the change from first to last; then what
    goes with skill, once for each other cell."""
    found = crowd(3, (10,))
    [cell] = cells_of(found, "paper")
    skill = np.array([1.0, -1.0, 0.0])
    change = changes(found, np.ones((3, 4), dtype=bool))
    shrunk = second_moments(cell, Aim(change, skill, 0))
    moments = 2 * (shrunk - 0.5 * np.trace(shrunk) / 10 * np.eye(10))
    off = np.full(10, -0.1)
    off[:4] += 0.25
    misses = cell.right @ off
    slopes = misses @ np.polyfit(range(4), np.eye(4), 1)[0] * 3
    expected = np.mean(np.mean(misses**2, axis=1) + slopes**2)
    assert off @ moments @ off == pytest.approx(expected)
    more = second_moments(cell, Aim(change, skill, 14)) - shrunk
    by_skill = (misses[0].mean() - misses[1].mean()) / 3
    assert off @ more @ off == pytest.approx(14 * by_skill**2)


def test_every_stratum_is_there_and_weights_sum_to_it() -> None:
    chosen = screen(crowd(4), release_id="r", per_cell=5, draws=2)
    assert {cell.cell for cell in chosen.cells} == {f"{c.operation}/{c.evidence}" for c in CELLS}
    assert sum(cell.population for cell in chosen.cells) == sum(SIZES)
    for cell in chosen.cells:
        weights = [item.weight for item in chosen.items if item.cell == cell.cell]
        assert 1 <= len(weights) == cell.asked <= 5
        assert sum(weights) == pytest.approx(cell.population)


def test_out_of_model_it_is_better_than_random_subsets() -> None:
    """Over three releases: of cells by far, of the whole since models are not drawn together."""
    rows = [
        screen(crowd(10, seed=seed), release_id="r", per_cell=10, draws=30).errors
        for seed in range(3)
    ]
    found = np.array(
        [[(row.in_model, row.out_of_model, row.random) for row in each[:2]] for each in rows],
        dtype=np.float64,
    )
    (whole, cell) = found.mean(axis=0)
    assert whole[0] < whole[1] < 0.95 * whole[2]
    assert cell[0] < cell[1] < 0.85 * cell[2]
    assert all(each[1].beaten > 0.9 for each in rows)


def test_where_it_is_not_better_it_says_so() -> None:
    """Coins: nothing that any model says of a question tells what another one will."""
    rng = np.random.default_rng(0)
    coins = np.where(rng.random((5, 1, 60)) < 0.5, C, W)
    chosen = screen(scores(coins.tolist()), release_id="r", per_cell=10, draws=40)
    said = {note.split(":")[0] for note in chosen.notes if "no better" in note}
    for row in chosen.errors:
        better = (row.out_of_model or 0) - (row.random or 0)
        better *= 1 if row.measure in ("Kendall", "Spearman") else -1
        has_number = row.measure != "change over length"
        assert (row.measure in said) is (has_number and better <= 0)
    assert said
    assert chosen.errors[2].in_model is None, "one budget has no change over length"


def test_the_same_answers_give_the_same_set_in_any_order_of_models() -> None:
    found = crowd(4)
    order = [one.name for one in found.entrants][::-1]
    one, other = (
        screen(each, release_id="r", per_cell=6, draws=2)
        for each in (found, found.of_entrants(order))
    )
    assert one.items == screen(found, release_id="r", per_cell=6, draws=2).items
    assert [item.question_id for item in one.items] == [item.question_id for item in other.items]


def test_one_model_has_no_error_and_none_is_refused() -> None:
    chosen = screen(crowd(1), release_id="r", per_cell=5, draws=2)
    assert chosen.error is None
    assert any("one model" in note for note in chosen.notes)
    with pytest.raises(UsageError, match="no system has a judged answer"):
        screen(crowd(0), release_id="r")
    nothing = scores([[[A, A]]])
    with pytest.raises(UsageError, match="no system has a judged answer"):
        screen(nothing, release_id="r")


def test_what_was_not_counted_is_in_no_denominator() -> None:
    """A budget that was not run, and rejected items, make no error."""
    questions = [question(f"q{at}") for at in range(4)]
    found = scores([[[C, C, R, R], [A, A, A, A]], [[C, W, C, W], [W, W, C, C]]], questions)
    chosen = screen(found, release_id="r", per_cell=4, draws=2)
    assert [row.in_model for row in chosen.errors[:2]] == [0.0, 0.0]
    assert any("whole release" in note for note in chosen.notes)
    silent = replace(found, marks=np.where(found.marks[:1] == C, R, A).astype(np.uint8))
    with pytest.raises(UsageError):
        screen(replace(silent, entrants=found.entrants[:1]), release_id="r")


def test_what_was_asked_a_part_alone_is_left_out() -> None:
    """A set that is chosen again after a further model was asked the first one is the same."""
    found = crowd(5, sizes=(40, 30))
    first = screen(found.of_entrants(["m0", "m1", "m2", "m3"]), release_id="r", draws=2)
    asked = {item.question_id for item in first.items}
    marks = found.marks.copy()
    marks[4][:, [one.question_id not in asked for one in found.questions]] = A
    marks[3, 2:] = A
    again = screen(replace(found, marks=marks), release_id="r", draws=2)
    assert again.models == first.models
    assert f"m4 8K: {len(asked)} of 70 items judged, left out" in again.notes
    marks[:, 1:] = A
    short = screen(replace(found, marks=marks).of_entrants(["m0", "m1"]), release_id="r", draws=2)
    assert short.budgets == ("8K",)


def test_the_errors_are_a_table() -> None:
    table = errors_table(screen(crowd(3), release_id="r", per_cell=4, draws=3))
    assert [row["measure"] for row in table.records()] == [
        "accuracy", "cell accuracy", "change over length", "Kendall", "Spearman",
    ]  # fmt: skip
    assert "beaten" in table.to_csv()


def test_the_error_that_is_told_holds_for_models_that_are_still_to_come() -> None:
    """Eight of eighteen: 19 of 20 intervals are to hold their accuracy on all questions."""
    found = crowd(18)
    names = [one.name for one in found.entrants]
    chosen = screen(found.of_entrants(names[:10]), release_id="r", per_cell=10, draws=2)
    held, widths = [], []
    for at, budget in ((model, budget) for model in range(10, 18) for budget in range(4)):
        right = {
            one.question_id: bool(is_right)
            for one, is_right in zip(found.questions, found.right[at, budget], strict=True)
        }
        asked = {item.question_id: right[item.question_id] for item in chosen.items}
        told = weighted(chosen, found.questions, asked)
        assert told.low is not None
        assert told.high is not None
        held.append(told.low <= np.mean(list(right.values())) <= told.high)
        widths.append(told.high - told.low)
    assert np.mean(held) > 0.85
    assert np.mean(widths) < 0.16
