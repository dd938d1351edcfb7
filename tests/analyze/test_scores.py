"""The cube of marks: what is counted, paired, left out."""

from __future__ import annotations

import numpy as np

from tests.analyze.marks import PLAIN, question, scored_row, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.pairing import denominators
from voxmem.analyze.scores import Mark, Scores

C, W, U, F, R, X, A = (
    Mark.CORRECT, Mark.INCORRECT, Mark.UNPARSED, Mark.FAILED, Mark.REJECTED, Mark.OUT_OF_SET,
    Mark.ABSENT,
)  # fmt: skip


def test_the_two_policies_count_what_they_say() -> None:
    found = scores([[[C, C, C, C, F, F, U, W, W, W, R, X]]])
    for policy, n in (("paper", 10), ("code", 7)):
        counted = found.counted(policy)  # type: ignore[arg-type]
        assert int(counted.sum()) == n
        assert int((found.right & counted).sum()) == 4


def test_own_pairing_keeps_the_items_of_every_budget_that_was_run() -> None:
    found = scores([[[C, W, R, C], [C, R, W, C]], [[C, C, C, C], [A, A, A, A]]])
    own = denominators(found, "paper", "own")
    assert own[0].tolist() == [[True, False, False, True]] * 2
    assert own[1, 0].all()
    assert not own[1, 1].any()
    shared = denominators(found, "paper", "shared")
    assert shared[1, 0].tolist() == [True, False, False, True]
    assert denominators(found, "paper", "separate")[0, 0].tolist() == [True, True, False, True]


def test_a_full_run_is_one_without_gaps() -> None:
    found = scores([[[C, W, R]], [[C, W, A]], [[X, X, X]], [[R, R, R]]])
    assert [one.name for one in found.complete_at("8K").entrants] == ["m0"]


def test_rows_of_elsewhere_and_second_rows_are_left_out_and_named() -> None:
    asked = [question("q0")]
    rows = [
        scored_row("q0", "8K", "correct"),
        scored_row("q0", "8K", "incorrect"),
        scored_row("q9", "8K", "correct"),
        scored_row("q0", "16K", "correct"),
    ]
    found = Scores.of(asked, [("q0", "8K")], rows, "rule-1", {("m0", "audio"): PLAIN})
    assert found.marks.tolist() == [[[Mark.CORRECT]]]
    assert len(found.notes) == 2


def test_nothing_at_all_is_an_empty_cube() -> None:
    found = Scores.of([], [], [], "rule-1")
    assert found.marks.shape == (0, 0, 0)
    assert not denominators(found, "paper", "shared").size


def test_masks_by_field() -> None:
    found = scores([[[C, C]]], [question("a"), question("b", gold=None)])
    assert found.where(stratum="refusal").tolist() == [False, True]
    assert np.array_equal(found.where(), [True, True])


def test_an_unknown_system_is_known_by_its_answers() -> None:
    from voxmem.analyze.entrants import entrant

    assert entrant("nobody", "transcript") == Entrant(
        name="nobody (transcript)", system="nobody", arm="transcript", kind="predictions"
    )
    assert entrant("gemini-3.1-pro").is_proprietary
    assert entrant("oracle").kind == "control"
