"""Refusal as detection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from voxmem.analyze.statistics.detection import detection


def test_d_prime_and_criterion_by_the_corrected_rates() -> None:
    found = detection(20, 50, 10, 50)
    hit, alarm = stats.norm.ppf(20.5 / 51), stats.norm.ppf(10.5 / 51)
    assert found.d_prime == pytest.approx(hit - alarm)
    assert found.criterion == pytest.approx(-(hit + alarm) / 2)


def test_one_that_always_does_the_same_tells_nothing_apart() -> None:
    found = detection([130, 0], [130, 130], [669, 0], [669, 669])
    assert found.d_prime == pytest.approx([0, 0])
    assert found.criterion[0] == pytest.approx(-found.criterion[1])
    assert found.criterion[0] < -2


def test_extremes_are_finite_and_nothing_is_no_number() -> None:
    found = detection([130, 0, 0], [130, 0, 0], [0, 5, 0], [669, 10, 0])
    added = 130 / 799
    hit = stats.norm.ppf((130 + added) / (130 + 2 * added))
    alarm = stats.norm.ppf((1 - added) / (669 + 2 * (1 - added)))
    assert found.d_prime[0] == pytest.approx(hit - alarm)
    assert np.isnan([*found.d_prime[1:], *found.criterion[1:]]).all()
