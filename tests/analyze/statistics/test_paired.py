"""Paired tests against counts by hand, scipy, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from voxmem import keys
from voxmem.analyze.statistics.paired import bootstrap_p, compared, detectable, holm, mcnemar
from voxmem.analyze.statistics.resample import Resampler
from voxmem.analyze.table import Interval


def test_mcnemar_looks_at_what_only_one_of_them_got() -> None:
    a = np.array([1] * 9 + [0] * 2 + [1] * 5 + [1])
    b = np.array([0] * 9 + [1] * 2 + [1] * 5 + [0])
    counted = np.array([1] * 16 + [0])
    found = mcnemar(a, b, counted)
    assert (found.n, found.a_only, found.b_only) == (16, 9, 2)
    assert found.p == pytest.approx(stats.binomtest(2, 11).pvalue)
    assert mcnemar(a, a, counted).p == 1.0
    assert mcnemar(a, b, np.zeros(17)).p is None


def test_holm_multiplies_the_smallest_by_their_number() -> None:
    found = holm([0.01, None, 0.04, 0.03])
    assert found[1] is None
    assert [found[at] for at in (0, 2, 3)] == pytest.approx([0.03, 0.06, 0.06])
    assert holm([None]) == (None,)


def test_p_is_twice_the_smaller_side() -> None:
    assert bootstrap_p(np.array([-1.0, 1, 2, 3, 4, 5, 6, 7, 8])) == pytest.approx(0.4)
    assert bootstrap_p(np.array([0.0, 0.0])) == 1.0
    assert bootstrap_p(np.array([np.nan])) is None


def test_a_difference_is_on_common_items() -> None:
    rng = keys.numpy_rng("two")
    a, b = rng.random(300) < 0.6, rng.random(300) < 0.4
    counted = np.arange(300) < 280
    interval, p = compared(Resampler(300, key=1), a, b, counted)
    gap = a[:280].mean() - b[:280].mean()
    error = np.std(a[:280].astype(float) - b[:280], ddof=0) / 280**0.5
    assert interval.value == pytest.approx(gap)
    assert interval.low == pytest.approx(gap - 1.96 * error, abs=0.008)
    assert p is not None
    assert p < 0.01
    nothing = compared(Resampler(300, key=1), a, b, np.zeros(300, dtype=bool))
    assert nothing == (Interval(), None)


def test_the_detectable_difference_solves_its_equation_and_has_its_power() -> None:
    found = detectable(400, 0.2)
    assert found is not None

    def power(delta: float) -> float:
        spread = (0.2 - delta**2) ** 0.5
        return float(stats.norm.cdf((400**0.5 * delta - 1.959964 * 0.2**0.5) / spread))

    assert found == pytest.approx(optimize.brentq(lambda delta: power(delta) - 0.8, 0, 0.2))
    rng = keys.numpy_rng("power")
    odd = rng.binomial(400, 0.2, size=2000)
    wins = rng.binomial(odd, (0.2 + found) / 0.4)
    p = stats.chi2.sf((2 * wins - odd) ** 2 / odd, 1)
    assert (p < 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_too_few_items_detect_nothing() -> None:
    assert detectable(0, 0.2) is None
    assert detectable(20, 0.1) is None
    assert detectable(400, 0.0) is None
