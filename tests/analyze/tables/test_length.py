"""Decay curves and positions."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

from tests.analyze.marks import question, scores
from voxmem.analyze.positions import evidence_positions
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.tables import decay, positions
from voxmem.records import History, Length, Placement
from voxmem.taxonomy import EvidenceType

C, W, A = int(Mark.CORRECT), int(Mark.INCORRECT), int(Mark.ABSENT)
SMALL = Choices(resamples=300)
NO_LENGTH = Length(audio_seconds=0, audio_tokens=0, text_tokens=0, clips=0)


def _falling(*right: int, n: int = 100) -> list[list[int]]:
    return [[C] * one + [W] * (n - one) for one in right]


def test_slope_and_best_curve_of_a_straight_fall() -> None:
    rows = decay.make(Study(scores([_falling(80, 60, 40, 20), _falling(70, 50, 30, 10)]), SMALL))
    found = [row for row in rows.rows if row.policy == "paper"]
    one = [row for row in found if row.entrant == "m0"]
    assert {row.curve for row in one} == {"linear", "exponential", "logistic", "knee"}
    [linear] = [row for row in one if row.curve == "linear"]
    assert linear.is_best
    assert linear.start == pytest.approx(0.8, abs=1e-3)
    assert linear.end == pytest.approx(0.2, abs=1e-3)
    assert linear.per_doubling.value == pytest.approx(-0.2)
    assert linear.per_doubling.high is not None
    assert linear.per_doubling.high < -0.15
    assert linear.delta_aicc == 0
    assert min(row.delta_aicc for row in one if not row.is_best) > 0
    pooled = [row for row in found if row.entrant == "all" and row.curve == "linear"]
    assert {row.evidence for row in pooled} == {"speaker_identity", "all"}
    assert pooled[0].n == 800
    assert pooled[0].start == pytest.approx(0.75, abs=1e-3)


def test_few_budgets_leave_curves_out_and_say_so() -> None:
    three = decay.make(Study(scores([_falling(8, 6, 4, n=10)]), SMALL))
    assert {row.curve for row in three.rows} == {"linear", "exponential", "logistic"}
    assert any("knee" in note for note in three.notes)
    for budgets in (1, 2):
        table = decay.make(Study(scores([_falling(8, 6, n=10)[:budgets]]), SMALL))
        assert table.rows == ()
        assert sum("Left out" in note for note in table.notes) == 4
    assert decay.make(Study(Scores.of([], [], [], "rule-1"), SMALL)).rows == ()
    assert decay.make(Study(scores([[[A]] * 4]), SMALL)).rows == ()


def _history(name: str, roles: str) -> History:
    return History(
        item_id=f"{name}_8K",
        question_id=name,
        budget="8K",
        placements=tuple(
            Placement(
                session_id=f"s{at}",
                timestamp=datetime(2025, 5, 1 + at),
                role="evidence" if role == "e" else "filler",
            )
            for at, role in enumerate(roles)
        ),
        length=NO_LENGTH,
    )


def test_positions_are_means_of_the_middles_of_sessions() -> None:
    found = evidence_positions(
        [_history("first", "e...."), _history("two", ".e.e"), _history("none", "..."),
         _history("only", "e")]
    )  # fmt: skip
    assert found == {("first", "8K"): 0.1, ("two", "8K"): 0.625, ("only", "8K"): 0.5}


def test_a_map_of_positions_by_hand() -> None:
    asked = [*(question(f"q{at}") for at in range(5)), question("r", gold=None)]
    where = {("q0", "8K"): 0.0, ("q1", "8K"): 0.19, ("q2", "8K"): 0.2, ("q3", "8K"): 1.0,
             ("r", "8K"): 0.1}  # fmt: skip
    study = Study(
        scores([[[C, W, C, W, C, C]], [[C, C, C, A, C, C]]], asked), SMALL, positions=where
    )
    rows = [row for row in positions.make(study).rows if row.policy == "paper"]
    found = {(row.entrant, round(row.start, 1)): row for row in rows}
    assert len(found) == 15
    assert (found["all", 0.0].questions, found["all", 0.0].n) == (2, 4)
    assert found["all", 0.0].accuracy.value == 0.75
    assert found["m0", 0.2].accuracy.value == 1.0
    assert found["m0", 0.8].accuracy.value == 0.0
    assert found["m1", 0.8].accuracy.value is None
    assert found["all", 0.4].n == 0
    assert found["all", 0.4].accuracy.value is None


def test_nothing_is_known_of_positions() -> None:
    table = positions.make(Study(scores([[[C, W]]]), SMALL))
    assert table.rows == ()
    assert any("not known" in note for note in table.notes)
    lost = positions.make(Study(scores([[[C]]]), SMALL, positions={("elsewhere", "8K"): 0.3}))
    assert lost.rows == ()
    assert positions.make(Study(Scores.of([], [], [], "rule-1"), SMALL)).rows == ()


def test_evidence_types_have_their_own_curves() -> None:
    asked = [question(f"q{at}", evidence_type=list(EvidenceType)[at % 2]) for at in range(100)]
    marks = np.full((1, 4, 100), int(W))
    marks[0, :, ::2] = C  # the first type never falls
    marks[0, 0, 1::2] = C
    table = decay.make(Study(scores(marks.tolist(), asked), SMALL))
    found = {
        row.evidence: row.per_doubling.value
        for row in table.rows
        if row.entrant == "all" and row.policy == "paper"
    }
    assert found["speech_semantics"] == pytest.approx(0)
    assert found["speaker_identity"] == pytest.approx(-0.3)
