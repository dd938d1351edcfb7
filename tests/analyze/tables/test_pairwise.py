"""Models in pairs."""

from __future__ import annotations

import pytest
from scipy import stats

from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.tables import neighbours, pairwise
from voxmem.taxonomy import EvidenceType

C, W, F = int(Mark.CORRECT), int(Mark.INCORRECT), int(Mark.FAILED)
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


def test_neighbours_are_compared_in_every_cell_with_holm_over_the_cells() -> None:
    asked = [question(f"q{at}", evidence_type=list(EvidenceType)[1 + at % 2]) for at in range(20)]
    worst, best = [W] * 20, [C] * 20
    middle = [C if at % 2 else W for at in range(20)]  # knows one evidence type, not the other
    study = Study(scores([[worst], [best], [middle]], asked), SMALL)
    rows = [row for row in neighbours.make(study).rows if row.policy == "paper"]
    found = {(row.a, row.b, row.evidence): row for row in rows}
    assert len(found) == 4
    lost = found["m1", "m2", "speaker_identity"]
    assert (lost.n, lost.a_only, lost.difference.value) == (10, 10, 1.0)
    assert lost.p_mcnemar == pytest.approx(2 / 2**10)
    assert lost.p_holm == pytest.approx(2 * 2 / 2**10)
    assert found["m1", "m2", "paralinguistic"].p_holm == 1.0
    assert found["m2", "m0", "paralinguistic"].a_only == 10
    assert neighbours.make(Study(scores([[[C]]]), SMALL)).rows == ()
    assert neighbours.make(Study(Scores.of([], [], [], "rule-1"), SMALL)).rows == ()
