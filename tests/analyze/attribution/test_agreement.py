"""An auditor against people, by hand."""

from __future__ import annotations

import pytest

from voxmem.analyze.attribution.agreement import agreement_with_people, confusion

PEOPLE = dict(zip("abcdefgh", ["recognition"] * 4 + ["binding"] * 3 + ["operation"], strict=True))
AUDITED = {
    **dict(zip("abcdefg", ["recognition"] * 3 + ["binding"] * 4, strict=True)),
    "z": "unsupported",
}


def test_all_and_one_by_one() -> None:
    table = agreement_with_people("rule-1", AUDITED, PEOPLE)
    rows = {row.error_class: row for row in table.rows}
    # 6 of 7 alike; by chance (4*3 + 3*4) / 49
    assert (rows["all"].n, rows["all"].same) == (7, 6)
    expected = 24 / 49
    assert rows["all"].kappa.value == pytest.approx((6 / 7 - expected) / (1 - expected))
    assert rows["recognition"].share == pytest.approx(3 / 4)
    assert (rows["binding"].people, rows["binding"].audited, rows["binding"].same) == (3, 4, 3)
    assert rows["operation"].share is None
    assert table.notes == ("1 errors that people classed have no class by rule-1.",)
    assert confusion(AUDITED, PEOPLE)["recognition", "binding"] == 1


def test_nothing_in_common() -> None:
    rows = agreement_with_people("rule-1", {}, PEOPLE).rows
    assert {row.share for row in rows} == {None}
    assert {row.kappa.value for row in rows} == {None}
