"""Agreement between annotators, against published examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.audit.made import said, source_of
from voxmem.quality.audit.records import ClipAudit, latest
from voxmem.quality.labelling.agreement import agreement, krippendorffs_alpha
from voxmem.quality.labelling.kappa import cohens_kappa


def units(*observers: str) -> list[list[str]]:
    """One list for each column; a point is a value that is missing."""
    rows = [observer.split() for observer in observers]
    return [[value for value in column if value != "."] for column in zip(*rows, strict=True)]


def test_alpha_of_two_observers_and_two_labels() -> None:
    """Krippendorff (2011), example A: 0.095."""
    found = krippendorffs_alpha(units("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"))
    assert found == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_four_observers_with_missing_values() -> None:
    """Krippendorff (2011), example C: 0.743."""
    found = krippendorffs_alpha(
        units(
            "1 2 3 3 2 1 4 1 2 . . .",
            "1 2 3 3 2 2 4 1 2 5 . 3",
            ". 3 3 3 2 3 4 2 2 5 1 .",
            "1 2 3 3 2 4 4 1 2 5 1 .",
        )
    )
    assert found == pytest.approx(0.743, abs=5e-4)


def test_kappa_of_two_observers() -> None:
    """The usual table of grant proposals: 20 yes and yes, 5 yes and no, 10 no and yes, 15 no and
    no, 0.4."""
    assert cohens_kappa([[20, 5], [10, 15]]).value == pytest.approx(0.4)


def test_full_agreement_on_two_labels_is_one() -> None:
    assert krippendorffs_alpha([["x", "x"], ["y", "y"]]) == 1.0


@pytest.mark.parametrize("none", [[], [["x"]], [["x", "x"], ["x", "x"]]])
def test_one_label_or_none_tells_nothing(none: list[list[str]]) -> None:
    assert krippendorffs_alpha(none) is None


def test_agreement_of_the_clips_that_several_heard(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    one, two, three, four = list(source.clips.values())[:4]
    rows: list[ClipAudit] = [
        *(said(one, "pass", name) for name in ("ada", "bob")),
        *(said(two, "fail", name) for name in ("ada", "bob")),
        said(three, "pass", "ada"),
        said(three, "unsure", "bob"),
        said(four, "pass", "ada"),
    ]
    found = agreement(latest(rows, source.clips))
    assert (found.shared, found.annotators) == (3, 2)
    assert found.same == pytest.approx(2 / 3)
    assert found.kappa == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert found.alpha is not None
    more = agreement(latest([*rows, said(one, "pass", "eve")], source.clips))
    assert (more.annotators, more.kappa) == (3, None)
    assert more.same == pytest.approx(4 / 5)


def test_agreement_of_nobody() -> None:
    found = agreement({})
    assert (found.shared, found.same, found.kappa, found.alpha) == (0, None, None, None)
