"""Refusal as detection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from voxmem.analyze.statistics.detection import detection


def test_d_prime_and_criterion_by_the_corrected_rates() -> None:
    found = detection(20, 30, 10, 100)
    hit, alarm = stats.norm.ppf(20.5 / 31), stats.norm.ppf(10.5 / 101)
    assert found.d_prime == pytest.approx(hit - alarm)
    assert found.criterion == pytest.approx(-(hit + alarm) / 2)


def test_extremes_are_finite_and_nothing_is_no_number() -> None:
    found = detection([130, 130, 0], [130, 130, 0], [0, 669, 5], [669, 669, 10])
    assert found.d_prime[0] == pytest.approx(
        stats.norm.ppf(130.5 / 131) - stats.norm.ppf(0.5 / 670)
    )
    assert abs(found.d_prime[1]) < 0.6  # abstains always: it tells nothing apart
    assert found.criterion[1] < -2
    assert np.isnan([found.d_prime[2], found.criterion[2]]).all()
