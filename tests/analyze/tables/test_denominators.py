"""Every denominator, by hand."""

from __future__ import annotations

from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.labels import percent
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.tables import accuracy_by_evidence, paired_change, strata_and_policies
from voxmem.analyze.tables.span import span

C, W, U, F, R, X, A = (
    int(mark)
    for mark in (
        Mark.CORRECT, Mark.INCORRECT, Mark.UNPARSED, Mark.FAILED, Mark.REJECTED, Mark.OUT_OF_SET,
        Mark.ABSENT,
    )
)  # fmt: skip
FEW = Choices(resamples=50)


def test_ten_items_four_right_two_failed_one_unparsed() -> None:
    asked = [question(f"q{at}", gold=None if at == 9 else "tea") for at in range(10)]
    table = strata_and_policies.make(Study(scores([[[C, C, C, C, F, F, U, W, W, W]]], asked)))
    whole = {row.policy: row for row in table.rows if row.stratum == "all"}
    assert {policy: percent(row.accuracy.value) for policy, row in whole.items()} == {
        "paper": "40.0",
        "code": "57.1",
    }
    assert [(row.graded, row.failed, row.unparsed) for row in whole.values()] == [(7, 2, 1)] * 2
    assert [row.coverage for row in whole.values()] == [1.0, 0.7]
    parts = {row.stratum: row.accuracy for row in table.rows if row.policy == "paper"}
    assert (parts["answerable"].correct, parts["answerable"].n) == (4, 9)
    assert (parts["refusal"].correct, parts["refusal"].n) == (0, 1)


def test_means_are_over_full_runs_of_their_group() -> None:
    who = [
        Entrant(name="a", system="a", group="proprietary"),
        Entrant(name="b", system="b", group="omni-modal"),
        Entrant(name="c", system="c", group="audio-specialist"),
        Entrant(name="d", system="d", group="omni-modal", kind="control"),
    ]
    study = Study(scores([[[C, C]], [[C, R]], [[C, A]], [[C, C]]], entrants=who), FEW)
    found = {
        row.group: row.accuracy
        for row in accuracy_by_evidence.group_means(study).rows
        if (row.policy, row.stratum, row.evidence) == ("paper", "all", "all")
    }
    assert {group: mean.entrants for group, mean in found.items()} == {
        "proprietary": 1,
        "open-weight": 1,
        "audio-specialist": 0,
        "omni-modal": 1,
        "all": 2,
    }
    assert found["audio-specialist"].value is None
    alone = Study(scores([[[C]], [[C]]], entrants=[who[0], who[3]]), FEW)
    means = accuracy_by_evidence.group_means(alone)
    assert {row.group for row in means.rows} == {"proprietary", "all"}
    assert "Nobody is in these groups: open-weight, audio-specialist, omni-modal." in means.notes


def test_a_span_is_of_the_same_models_at_every_budget() -> None:
    study = Study(
        scores(
            [
                [[A, A], [C, C], [C, C], [C, W]],  # from 16K to 64K
                [[A, A], [C, C], [A, A], [W, W]],  # not at 32K
                [[C, C], [C, C], [C, C], [X, X]],  # not so far
                [[A, A], [A, A], [C, C], [C, C]],  # not so early
            ]
        ),
        FEW,
    )
    found = span(study, "paper", "own")
    assert found is not None
    assert [one.name for one in found.scores.entrants] == ["m0", "m1"]
    assert [found.budget(place) for place in found.places] == ["16K", "64K"]
    row = next(row for row in paired_change.make(study).rows if row.entrant == "all")
    assert (row.before, row.after, row.n, row.entrants) == (1.0, 0.25, 2, 2)


def test_pairing_leaves_out_what_was_rejected_at_any_budget() -> None:
    study = Study(scores([[[C, W, C], [R, C, C]]]), FEW)
    own, apart = (
        next(row for row in paired_change.make(study, pairing=how).rows)
        for how in ("own", "separate")
    )
    assert (own.before, own.after) == (0.5, 1.0)
    assert apart.before == 2 / 3
    assert own.n == apart.n == 2
