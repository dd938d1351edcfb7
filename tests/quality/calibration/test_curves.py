from __future__ import annotations

import numpy as np
import pytest

from voxmem.quality.calibration.curves import (
    GOOD,
    Trial,
    at_most_rejected,
    below_mean,
    curve,
    fixed,
)
from voxmem.quality.calibration.texts import HALVES

RNG = np.random.default_rng(5)


def trials(good: float = 3.0, faulty: float = 0.0, count: int = 400) -> list[Trial]:
    """Two bells of deviation one, in both halves."""
    return [
        Trial(half, fault, float(value))
        for half in HALVES
        for fault, mean in ((GOOD, good), ("fault", faulty))
        for value in RNG.normal(mean, 1.0, count)
    ]


def test_a_threshold_is_set_on_one_half_and_tested_on_the_other() -> None:
    rows = [row._replace(value=row.value - 9) if row.half == "test" else row for row in trials()]
    made = curve("c", rows, at_most_rejected(0.02), judge="j", described="2 %")
    assert made.threshold == pytest.approx(3 - 2.05, abs=0.3), "the other half knows nothing of it"
    assert made.false_rejects > 0.99
    assert (made.set_on.good, made.tested_on.faulty) == (400, 400)


def test_errors_are_those_of_two_bells() -> None:
    made = curve("c", trials(count=4000), at_most_rejected(0.05), judge="j", described="5 %")
    assert made.false_rejects == pytest.approx(0.05, abs=0.01)
    assert made.false_accepts == pytest.approx(0.0877, abs=0.015)  # 1 - Φ(3 - 1.645)
    assert made.equal_error == pytest.approx(0.0668, abs=0.01)  # 1 - Φ(1.5)
    assert made.caught == {"fault": pytest.approx(1 - made.false_accepts, abs=1e-4)}


def test_a_curve_falls_and_rises() -> None:
    made = curve("c", trials(), fixed(1.0), judge="j", described="fixed")
    assert list(made.grid) == sorted(made.grid)
    assert list(made.grid_false_rejects) == sorted(made.grid_false_rejects)
    assert list(made.grid_false_accepts) == sorted(made.grid_false_accepts, reverse=True)
    assert made.grid_false_accepts[0] == 1.0
    assert made.grid_false_rejects[0] == 0.0


def test_a_value_at_the_threshold_passes() -> None:
    rows = [Trial("test", GOOD, 1.0), Trial("test", "fault", 1.0), Trial("test", "fault", 0.0)]
    made = curve("c", rows, fixed(1.0), judge="j", described="fixed", is_fixed=True)
    assert (made.false_rejects, made.false_accepts) == (0.0, 0.5)


def test_a_fixed_threshold_is_tested_on_everything() -> None:
    made = curve("c", trials(), fixed(1.0), judge="j", described="fixed", is_fixed=True)
    assert (made.set_on.good, made.tested_on.good) == (0, 800)


def test_a_threshold_is_never_rounded_up() -> None:
    rows = [Trial("set", GOOD, 0.123456), Trial("test", GOOD, 0.123456)]
    made = curve("c", rows, at_most_rejected(0.02), judge="j", described="2 %")
    assert made.threshold == 0.1234
    assert made.false_rejects == 0.0


def test_few_clips_have_a_threshold_below_their_mean() -> None:
    rows = [Trial("set", GOOD, value) for value in (0.8, 0.9, 1.0)]
    made = curve("c", rows, below_mean(2.5), judge="j", described="")
    assert made.threshold == pytest.approx(0.9 - 2.5 * np.std([0.8, 0.9, 1.0]), abs=1e-4)
