"""Paired tests against counts by hand, scipy, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

from voxmem import keys
from voxmem.analyze.statistics.paired import Paired, bootstrap_p, detectable, holm, paired
from voxmem.analyze.statistics.resample import Resampler


def test_only_items_that_one_of_them_got_decide() -> None:
    a = np.array([1] * 9 + [0] * 2 + [1] * 5 + [1])
    b = np.array([0] * 9 + [1] * 2 + [1] * 5 + [0])
    counted = np.ones((17, 3))
    counted[16, 1] = counted[:, 2] = 0
    one = Resampler(17, key=1, resamples=500)
    [found, same, nothing] = paired(
        one, np.column_stack([a, b, a]), counted, [(0, 1), (0, 0), (0, 2)]
    )
    assert (found.n, found.a_only, found.b_only) == (16, 9, 2)
    assert found.discordance == 11 / 16
    assert found.difference.value == 7 / 16
    assert found.mcnemar == pytest.approx(stats.binomtest(2, 11).pvalue)
    assert (same.mcnemar, same.bootstrap, same.difference.value) == (1.0, 1.0, 0.0)
    assert nothing == Paired()


def test_holm_multiplies_the_smallest_by_their_number() -> None:
    found = holm([0.01, None, 0.04, 0.03])
    assert found[1] is None
    assert [found[at] for at in (0, 2, 3)] == pytest.approx([0.03, 0.06, 0.06])
    assert holm([None]) == (None,)
    values = keys.numpy_rng("p").random(40) ** 4
    theirs = multipletests(values, method="holm")[1]
    assert holm(values.tolist()) == pytest.approx(theirs)


def test_p_is_twice_the_smaller_side() -> None:
    assert bootstrap_p(np.array([-1.0, 1, 2, 3, 4, 5, 6, 7, 8])) == pytest.approx(0.4)
    assert bootstrap_p(np.array([0.0, 0.0])) == 1.0
    assert bootstrap_p(np.array([np.nan])) is None


def test_a_paired_interval_is_that_of_the_differences() -> None:
    rng = keys.numpy_rng("two")
    right = rng.random((300, 2)) < (0.6, 0.4)
    counted = np.broadcast_to(np.arange(300)[:, None] < 280, (300, 2))
    [found] = paired(Resampler(300, key=1), right, counted, [(0, 1)])
    gains = right[:280, 0].astype(float) - right[:280, 1]
    error = gains.std() / 280**0.5
    assert found.difference.value == pytest.approx(gains.mean())
    assert found.difference.low == pytest.approx(gains.mean() - 1.96 * error, abs=0.008)
    assert found.bootstrap is not None
    assert found.bootstrap < 0.01


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
