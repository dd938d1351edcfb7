"""Curves through counts that lie on them, and against a fit by statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from voxmem.analyze.statistics.curves import Fit, best, fits

LENGTHS = (2000, 4000, 8000, 16000, 32000, 64000)


def _found(shares: list[float], lengths: tuple[int, ...] = LENGTHS) -> dict[str, Fit]:
    n = [100_000] * len(lengths)
    return {one.curve: one for one in fits(lengths, [round(1e5 * one) for one in shares], n)}


@pytest.mark.parametrize(
    ("curve", "shares"),
    [
        ("linear", [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]),
        ("exponential", [0.5 * 0.8 ** (length / 10_000) for length in LENGTHS]),
        ("logistic", [1 / (1 + np.exp(at - 2.5)) for at in range(6)]),
        ("knee", [0.6, 0.6, 0.6, 0.4, 0.2, 0.0]),
    ],
)
def test_the_curve_that_made_the_counts_is_found(curve: str, shares: list[float]) -> None:
    found = _found(shares)
    chosen = best(tuple(found.values()))
    assert chosen is not None
    assert chosen.curve == curve
    assert found[curve].at(LENGTHS) == pytest.approx(shares, abs=0.002)


def test_a_knee_is_where_the_fall_begins() -> None:
    knee = _found([0.6, 0.6, 0.6, 0.4, 0.2, 0.0])["knee"].knee
    assert knee == pytest.approx(8000, rel=0.02)


def test_the_logistic_fit_is_the_one_of_statsmodels() -> None:
    right, n = [300, 260, 190, 150], [799, 700, 799, 799]
    lengths = (8000, 16000, 32000, 64000)
    [ours] = [one for one in fits(lengths, right, n) if one.curve == "logistic"]
    answers = np.column_stack([right, np.subtract(n, right)])
    model = sm.GLM(answers, sm.add_constant(np.log(lengths)), family=sm.families.Binomial())
    theirs = model.fit()
    assert ours.at(lengths) == pytest.approx(theirs.fittedvalues, abs=1e-4)
    likelihood = (right * np.log(theirs.fittedvalues)).sum()
    likelihood += (np.subtract(n, right) * np.log(1 - theirs.fittedvalues)).sum()
    assert ours.log_likelihood == pytest.approx(likelihood, abs=1e-3)
    size = sum(n)
    assert ours.bic == pytest.approx(2 * np.log(size) - 2 * likelihood, abs=1e-2)
    assert ours.aicc == pytest.approx(4 - 2 * likelihood + 12 / (size - 3), abs=1e-2)


def test_too_few_lengths_leave_curves_out() -> None:
    assert {one.curve for one in fits(LENGTHS[:3], [5, 4, 3], [9, 9, 9])} == {
        "linear", "exponential", "logistic"
    }  # fmt: skip
    assert fits(LENGTHS[:3], [5, 4, 0], [9, 9, 0]) == ()
    assert fits((), (), ()) == ()
    assert best(()) is None


def test_nothing_right_and_one_answer_are_no_trouble() -> None:
    for right in ([0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]):
        for one in fits(LENGTHS[:4], right, [1, 1, 1, 1]):
            assert np.isfinite([one.log_likelihood, one.aicc, one.bic, one.start, one.end]).all()
