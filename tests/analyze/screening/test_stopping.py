"""Looking after every item must not make wrong decisions more frequent than was said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.analyze.screening.simulated import crowd
from voxmem.analyze.scores import Mark
from voxmem.analyze.screening import bounds, looks, replay, screen
from voxmem.errors import InputError
from voxmem.evaluate.subset import ScreenedCell, ScreeningItem, ScreeningSet

RNG = np.random.default_rng(7)


def orders(values: np.ndarray, number: int = 300) -> np.ndarray:
    return np.stack([RNG.permutation(values) for _ in range(number)])


@pytest.mark.parametrize("share", [0.02, 0.4])
def test_the_intervals_hold_the_mean_at_every_look_at_once(share: float) -> None:
    values = np.where(RNG.random(120) < share, RNG.random(120), 0.0)
    drawn = orders(values)
    found = bounds(drawn, 120, least=0.0, most=1.0)
    missed = (found.low > values.mean() + 1e-9) | (found.high < values.mean() - 1e-9)
    assert missed.any(axis=1).mean() < 0.08
    assert np.allclose(found.low[:, -1], values.mean()), "at the end it is known"
    assert np.allclose(found.high[:, -1], values.mean())
    # What one would do without: an interval that is right for one look.
    number = np.arange(1, 121)
    mean = drawn.cumsum(axis=1) / number
    wide = 1.96 * drawn.std(axis=1, keepdims=True) / np.sqrt(number) * np.sqrt(1 - number / 120)
    assert (np.abs(mean - values.mean()) > wide)[:, 10:-1].any(axis=1).mean() > 0.2


def test_two_that_are_even_are_seldom_told_apart() -> None:
    even = np.array([1.0, -1.0] * 30 + [0.0] * 40)
    found = bounds(orders(even), 100, least=-1.0, most=1.0)
    assert ((found.low > 1e-9) | (found.high < -1e-9)).any(axis=1).mean() < 0.08
    clear = np.array([1.0] * 45 + [-1.0] * 5 + [0.0] * 50)
    told = bounds(orders(clear), 100, least=-1.0, most=1.0).low > 0
    assert told[:, 59].mean() > 0.8
    assert told[:, -1].all()


def test_bounds_refuse_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="of 2 values"):
        bounds(np.zeros(3), 2, least=0.0, most=1.0)
    with pytest.raises(ValueError, match="not between"):
        bounds(np.array([2.0]), 2, least=0.0, most=1.0)
    still = bounds(np.zeros(2), 5, least=0.0, most=0.0)
    assert still.high.tolist() == [0.0, 0.0]
    assert bounds(np.zeros(0), 5, least=0.0, most=1.0).low.shape == (0,)


@pytest.fixture(scope="module")
def chosen() -> ScreeningSet:
    return screen(crowd(5), release_id="r", per_cell=8, draws=2)


def test_looks_say_who_is_behind_and_who_ahead(chosen: ScreeningSet) -> None:
    names = [item.question_id for item in chosen.items]
    given = {
        "all": dict.fromkeys(names, True),
        "none": {},
        "same": dict(zip(names, [True, False] * len(names), strict=False)),
    }
    seen = looks(chosen, [given["same"][name] for name in names], given)
    assert len(seen) == len(names)
    assert seen[0].undecided == ("all", "none", "same")
    last = seen[-1]
    assert (last.better_than, last.worse_than, last.undecided) == (("none",), ("all",), ())
    decided = next(look for look in seen if look.undecided == ("same",))
    assert decided.asked < len(names) / 2
    weights = sum(item.weight for item in chosen.items)
    exact = sum(item.weight for item in chosen.items[::2]) / weights
    assert last.low == pytest.approx(exact)
    assert last.is_within(0.001)
    with pytest.raises(InputError):
        looks(chosen, [True] * (len(names) + 1), given)
    assert looks(chosen, [], given) == ()
    assert looks(chosen, [True], {})[0].has_place


def test_models_are_replayed_as_if_each_was_new(chosen: ScreeningSet) -> None:
    found = replay(crowd(5), chosen, within=0.1)
    assert len(found) == 5 * 4
    for row in found:
        assert row.place is not None
        assert row.nearly is not None
        assert 1 <= row.nearly <= row.place <= row.items == len(chosen.items)
        assert row.accuracy is not None
        assert 1 <= row.accuracy < row.items
        assert row.undecided == ()
        assert row.low == row.high
    closer = replay(crowd(5), chosen, within=0.05)
    pairs = zip(found, closer, strict=True)
    assert all((a.accuracy or 0) < (b.accuracy or 0) for a, b in pairs)


def test_a_run_that_is_under_way_counts_up_to_its_first_gap(chosen: ScreeningSet) -> None:
    """Answers after a gap were not asked in the order that says anything."""
    whole = crowd(6)
    order = [item.question_id for item in chosen.items]
    at = [question.question_id for question in whole.questions]
    marks = whole.marks.copy()
    marks[5, 0, at.index(order[10])] = Mark.ABSENT
    marks[5, 1:] = Mark.ABSENT
    marks[4, 0, at.index(order[3])] = Mark.ABSENT
    found = replay(replace(whole, marks=marks), chosen, models=["m5"], within=0.01)
    [row] = found
    assert (row.budget, row.asked, row.items) == ("8K", 10, len(order))
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.high
    assert row.accuracy is None
    assert row.place is None
    assert set(row.undecided) <= {"m0", "m1", "m2", "m3"}, "m4 is not known whole"
    assert row.undecided


def test_a_place_among_many_is_as_sure_as_one_difference() -> None:
    """Sixteen models that are even with it: seldom is it told from any of them."""
    number, told = 50, 0
    for _ in range(60):
        names = [f"q{at}" for at in range(number)]
        alike = one_cell(names)
        half = np.arange(number) % 2 == 0
        answers = [RNG.permutation(half) for _ in range(17)]
        given = {f"m{at}": dict(zip(names, row, strict=True)) for at, row in enumerate(answers[1:])}
        seen = looks(alike, answers[0].tolist(), given, level=0.8)
        told += any(look.better_than or look.worse_than for look in seen[:-1])
    assert told / 60 < 0.3


def one_cell(names: list[str]) -> ScreeningSet:
    """A set of questions that all count the same."""
    return ScreeningSet(
        release_id="r",
        judge="rule-1",
        policy="paper",
        models=("m0",),
        budgets=("8K",),
        per_cell=len(names),
        cells=(ScreenedCell(cell="c", population=len(names), asked=len(names)),),
        items=tuple(ScreeningItem(question_id=name, weight=1.0, cell="c") for name in names),
        errors=(),
    )
