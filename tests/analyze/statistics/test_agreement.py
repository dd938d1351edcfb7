"""Kappa, agreement and rank correlations against published and enumerated values."""

from __future__ import annotations

import pytest
from scipy import stats

from voxmem import keys
from voxmem.analyze.statistics.agreement import (
    Correlation,
    agreement,
    agreement_of,
    kappa,
    spearman,
)
from voxmem.analyze.table import Interval


def test_kappa_by_hand() -> None:
    found = agreement_of([[20, 5], [10, 15]])
    assert found.share == 0.7
    assert found.kappa.value == pytest.approx(0.4)  # chance agrees on one half
    # Fleiss, Cohen and Everitt (1969), spelt out for this table
    a = 0.4 * (1 - 1.1 * 0.6) ** 2 + 0.3 * (1 - 0.9 * 0.6) ** 2
    b = 0.36 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    error = ((a + b - (0.4 - 0.5 * 0.6) ** 2) / 0.25 / 50) ** 0.5
    assert found.kappa.low == pytest.approx(0.4 - 1.959964 * error)


def test_readings_in_several_classes() -> None:
    found = agreement(["x", "y", "z", "z"], ["x", "y", "z", "x"])
    assert (found.n, found.same) == (4, 3)
    assert found.kappa.value == pytest.approx((0.75 - 5 / 16) / (1 - 5 / 16))


def test_of_one_who_always_says_the_same_there_is_no_kappa() -> None:
    assert kappa([[0, 0], [0, 0]]) == Interval()
    assert kappa([[7, 0], [0, 0]]) == Interval()
    assert agreement([], []).share is None
    assert kappa([[7, 0], [0, 3]]) == Interval(value=1.0)
    assert kappa([[5, 7], [0, 0]]) == Interval()


def test_rank_correlation() -> None:
    rng = keys.numpy_rng("ranks")
    a, b = rng.random(30).round(1).tolist(), rng.random(30).round(1).tolist()
    theirs = stats.spearmanr(a, b)
    found = spearman(a, b)
    assert found.rho == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)
    of_three = spearman([1, 2, 3, None], [2, 4, 9, 1])
    assert of_three.n == 3
    assert of_three.rho == pytest.approx(1)
    assert of_three.p == pytest.approx(1 / 3)  # of six orders, two are as far from chance
    assert spearman([1, 2], [1, 2]) == Correlation(n=2)
    assert spearman([1, 1, 1, 1], [1, 2, 3, 4]) == Correlation(n=4)
