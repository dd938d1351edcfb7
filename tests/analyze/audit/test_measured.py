"""A machine against people, by hand."""

from __future__ import annotations

import pytest

from voxmem.analyze.audit.measured import Pair, measured, measured_text
from voxmem.quality.labelling.kappa import cohens_kappa


def pairs(table: dict[tuple[str, str], float]) -> list[Pair]:
    return [Pair(*said, weight) for said, weight in table.items()]


def test_things_count_for_what_they_stand_for() -> None:
    found = measured(pairs({("y", "y"): 4, ("n", "n"): 4, ("y", "n"): 1, ("n", "y"): 1}))
    assert found.n == 4
    assert found.effective == pytest.approx(100 / 34)
    assert found.same.value == pytest.approx(0.8)
    assert found.kappa.value == pytest.approx(0.6)


def test_alike_weights_are_plain_counts() -> None:
    """Whatever the weight is: 20 and 15 alike, 5 and 10 not."""
    said = [("y", "y")] * 20 + [("n", "n")] * 15 + [("y", "n")] * 5 + [("n", "y")] * 10
    plain, heavy = (measured([Pair(*one, weight) for one in said]) for weight in (1.0, 7.0))
    assert plain.kappa.model_dump() == pytest.approx(heavy.kappa.model_dump())
    assert plain.kappa.value == pytest.approx(0.4)
    whole = cohens_kappa([[20, 5], [10, 15]])
    assert (plain.kappa.low, plain.kappa.high) == pytest.approx((whole.low, whole.high))
    assert plain.effective == pytest.approx(50)


def test_one_label_alone_has_no_kappa_and_nothing_has_no_number() -> None:
    assert measured([Pair("y", "y", 0.1), Pair("n", "y", 0.7)]).kappa.value is None
    assert measured([Pair("y", "y", 0.1), Pair("n", "n", 0.7)]).kappa.value == 1.0
    none = measured([])
    assert (none.n, none.same.value) == (0, None)
    assert measured_text(none) == "–, κ – (n 0)"
