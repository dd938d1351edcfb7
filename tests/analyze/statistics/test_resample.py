"""The bootstrap: exact sums, pairing, coverage, and no invented number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from voxmem import keys
from voxmem.analyze.statistics.resample import Resampler, Shares
from voxmem.analyze.table import Interval


def _width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return interval.high - interval.low


def test_every_resample_is_a_draw_of_as_many_items() -> None:
    drawn = Resampler(7, key="a", resamples=200).sums(np.eye(7, dtype=bool))
    assert np.array_equal(drawn.sum(axis=1), np.full(200, 7.0))
    assert len(np.unique(drawn, axis=0)) > 150


def test_the_mean_and_the_spread_are_those_of_draws_with_replacement() -> None:
    right = np.arange(400) < 120
    rates = Resampler(400, key=1).rates(Shares(right, np.ones(400)))[:, 0]
    assert rates.mean() == pytest.approx(0.3, abs=0.001)
    assert rates.std() == pytest.approx((0.3 * 0.7 / 400) ** 0.5, rel=0.03)


def test_intervals_agree_with_scipy() -> None:
    right = keys.numpy_rng("marks").random(300) < 0.4
    ours = Resampler(300, key=2).rate_interval(right, np.ones(300))
    theirs = stats.bootstrap(
        (right,), np.mean, method="percentile", rng=keys.numpy_rng("scipy")
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.008)
    assert ours.high == pytest.approx(theirs.high, abs=0.008)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = keys.numpy_rng("coverage")
    held = 0
    for trial in range(200):
        right = rng.random((150, 1)) < 0.35
        found = Resampler(150, key=trial, resamples=600).rate_interval(right, np.ones((150, 1)))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.35 <= found.high
    assert 180 <= held <= 198  # 190 at the stated level; a binomial's spread is 3


def test_what_is_asked_in_two_calls_is_paired() -> None:
    right, counted = np.arange(60) % 3 == 0, np.ones(60)
    one = Resampler(60, key=3, resamples=500)
    apart = one.rates(Shares(right, counted)) - one.rates(Shares(~right, counted))
    together = 2 * one.rates(Shares(right, counted)) - 1
    assert np.allclose(apart, together)
    same = one.difference(Shares(right, counted), Shares(right, counted))
    assert same == Interval(value=0.0, low=0.0, high=0.0)


def test_a_family_is_drawn_whole() -> None:
    families = [at // 4 for at in range(400)]
    right = np.repeat(keys.numpy_rng("families").random(100) < 0.5, 4)
    single = Resampler(400, key=4).rate_interval(right, np.ones(400))
    whole = Resampler(400, key=4, clusters=families).rate_interval(right, np.ones(400))
    assert single.value == whole.value
    wider = _width(whole) / _width(single)
    assert wider == pytest.approx(2, rel=0.15)  # four equal items are worth one


def test_drop_and_retention_are_those_of_the_mean_over_models() -> None:
    ones = np.ones((40, 3), dtype=bool)
    short, long = ones.copy(), ones.copy()
    short[20:, 0] = False  # 50 % and 100 %; the third was not run at the longer budget
    long[10:, :] = False  # 25 % each
    found = Resampler(40, key=5).change(
        Shares(short, ones), Shares(long, ones & np.array([True, True, False]))
    )
    assert (found.short, found.long) == (0.75, 0.25)
    assert found.drop.value == 0.5
    assert found.retention.value == pytest.approx(1 / 3)
    assert found.drop.low is not None
    assert found.drop.high is not None
    assert 0.3 < found.drop.low < 0.45
    assert 0.55 < found.drop.high < 0.7


@pytest.mark.parametrize("n", [0, 1, 2])
def test_nothing_and_next_to_nothing_have_no_interval(n: int) -> None:
    counted = np.zeros((50, 1), dtype=bool)
    counted[:n] = True
    one = Resampler(50, key=6, resamples=400)
    value = 1.0 if n else None
    assert one.rate_interval(counted, counted) == Interval(value=value)
    assert one.change(Shares(counted, counted), Shares(counted, counted)).drop.low is None
    alone = Resampler(n, key=6, resamples=400).rate_interval(np.ones(n), np.ones(n))
    assert alone.value == value
    assert alone.low is None or n == 2
    assert one.mean_interval(Shares(np.ones((50, 0)), np.ones((50, 0)))) == Interval()


def test_a_retention_of_nothing_is_no_number() -> None:
    none, all_of_them = np.zeros(30, dtype=bool), np.ones(30, dtype=bool)
    found = Resampler(30, key=7).change(Shares(none, all_of_them), Shares(none, all_of_them))
    assert found.retention == Interval()
    assert found.drop == Interval(value=0.0, low=0.0, high=0.0)


def test_draws_follow_from_the_key_alone_also_when_they_are_not_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = keys.numpy_rng("columns").random((90, 2))
    first = Resampler(90, key="k", resamples=300).sums(columns)
    assert not np.array_equal(first, Resampler(90, key="l", resamples=300).sums(columns))
    monkeypatch.setattr("voxmem.analyze.statistics.resample._HELD", 0)
    again = Resampler(90, key="k", resamples=300)
    assert np.array_equal(first, again.sums(columns))
    assert np.array_equal(first, again.sums(columns))
