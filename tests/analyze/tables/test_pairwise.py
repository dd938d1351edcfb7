"""Models in pairs."""

from __future__ import annotations

import pytest
from scipy import stats

from tests.analyze.marks import scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.tables import pairwise

C, W, F = Mark.CORRECT, Mark.INCORRECT, Mark.FAILED
SMALL = Choices(resamples=300)


def test_pairs_are_compared_on_what_both_were_judged_on() -> None:
    marks = [[[C] * 9 + [W] * 3 + [F]], [[W] * 8 + [C] * 4 + [C]], [[W] * 13]]
    rows = pairwise.make(Study(scores(marks), SMALL)).rows
    found = {(row.a, row.b, row.policy): row for row in rows}
    assert len(found) == 6
    paper, code = found["m0", "m1", "paper"], found["m0", "m1", "code"]
    assert (paper.n, paper.a_only, paper.b_only) == (13, 8, 4)
    assert (code.n, code.a_only, code.b_only) == (12, 8, 3)
    assert code.difference.value == pytest.approx(5 / 12)
    assert code.p_mcnemar == pytest.approx(stats.binomtest(3, 11).pvalue)
    least = found["m0", "m2", "paper"]
    assert least.p_mcnemar == pytest.approx(2 / 2**9)
    assert least.p_holm == pytest.approx(3 * 2 / 2**9)
    assert least.difference.low is not None
    assert least.difference.low > 0


def test_one_model_one_item_and_nobody() -> None:
    control = Entrant(name="oracle", system="oracle", kind="control")
    plain = Entrant(name="m0", system="m0")
    alone = pairwise.make(Study(scores([[[C]], [[C]]], entrants=[plain, control]), SMALL))
    assert alone.rows == ()
    assert any("no two models" in note for note in alone.notes)
    [row, _] = pairwise.make(Study(scores([[[C]], [[W]]]), SMALL)).rows
    assert (row.n, row.difference.value, row.difference.low) == (1, 1.0, None)
    assert (row.p_bootstrap, row.detectable) == (None, None)
    [row, _] = pairwise.make(Study(scores([[[Mark.ABSENT]], [[C]]]), SMALL)).rows
    assert (row.n, row.p_mcnemar, row.p_holm, row.difference.value) == (0, None, None, None)
