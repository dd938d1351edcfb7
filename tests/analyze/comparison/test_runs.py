"""Two runs on their common items, against numbers by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analyze.comparison.sides import questions, release, side
from tests.analyze.marks import question
from voxmem.analyze.comparison import Common, compare_runs
from voxmem.analyze.comparison.records import GroupRow
from voxmem.analyze.comparison.runs import RunComparison
from voxmem.taxonomy import Operation


def row(found: RunComparison, group: str = "all", **of: object) -> GroupRow:
    [one] = [
        each
        for each in found.table.rows
        if each.group == group and all(getattr(each, name) == value for name, value in of.items())
    ]
    return one


def test_the_difference_of_two_runs_by_hand() -> None:
    rows = release(questions(10))
    a = side("a", rows, {"8K": "cccccccwwf"})
    b = side("b", rows, {"8K": "cwwwwwwcww"})
    found = compare_runs(a, b, resamples=2000)
    paper = row(found, policy="paper")
    assert (paper.a.correct, paper.b.correct, paper.a.n) == (7, 2, 10)
    assert paper.difference.value == pytest.approx(0.5)
    assert (paper.a_only, paper.b_only) == (6, 1)
    assert paper.p_mcnemar == pytest.approx(2 * 8 / 2**7), "at most 1 of 7 heads, both sides"
    assert paper.difference.low is not None
    assert paper.difference.high is not None
    assert -0.2 < paper.difference.low < 0.2
    assert 0.7 < paper.difference.high <= 1.0
    code = row(found, policy="code")
    assert (code.a.correct, code.a.n, code.a.expected) == (7, 9, 10), (
        "the failed one is not counted"
    )
    assert code.difference.value == pytest.approx(5 / 9)
    assert [each.item_id for each in found.flips if each.right == "a"] == [
        f"q{at}_8k" for at in range(1, 7)
    ]
    [other] = [each for each in found.flips if each.right == "b"]
    assert (other.item_id, other.a, other.b) == ("q7_8k", "incorrect", "correct")


def test_one_failed_and_one_right_is_a_flip_and_says_failed() -> None:
    rows = release(questions(1))
    found = compare_runs(side("a", rows, {"8K": "f"}), side("b", rows, {"8K": "c"}), resamples=100)
    assert [(each.right, each.a) for each in found.flips] == [("b", "failed")]
    assert row(found, policy="paper").p_mcnemar == 1.0
    assert row(found, policy="paper").difference.low is None, "one item has no interval"
    assert row(found, policy="code").a.value is None


def test_holm_counts_the_groups_of_a_grouping_at_all_budgets() -> None:
    asked = [
        *questions(6),
        *(question(f"t{at}", operation=Operation.MULTI_SESSION_REASONING) for at in range(6)),
    ]
    rows = release(asked, ("8K", "16K"))
    a = side("a", rows, {"8K": "cccccccccccc", "16K": "cccccccccccc"})
    b = side("b", rows, {"8K": "wwwwwwcccccc", "16K": "cccccccccccc"})
    found = compare_runs(a, b, resamples=200)
    first = row(found, "information_extraction", policy="paper", budget="8K")
    assert first.p_mcnemar == pytest.approx(2 / 2**6)
    assert first.p_holm == pytest.approx(4 * 2 / 2**6), "two operations at two budgets"
    whole = row(found, policy="paper", budget="8K")
    assert whole.p_holm == pytest.approx(2 * 2 / 2**6)
    assert {each.budget for each in found.flips} == {"8K"}


def test_everything_that_is_not_the_same_is_named_with_both_values() -> None:
    rows = release(questions(3))
    other = release(questions(3), name="r-2")
    a = side("a", rows, {"8K": "ccw"})
    b = side(
        "b", other, {"8K": "cc."}, judge="luna-2", arm="cues", rubric="abc",
        prompt_hash="q" * 64, adapter="gemini 2",
    )  # fmt: skip
    found = {each.what: (each.a, each.b) for each in compare_runs(a, b, resamples=100).differences}
    assert found == {
        "judge": ("rule-1", "luna-2"),
        "rubrics": ("none", "abc"),
        "candidate prompt": ("p" * 12, "q" * 12),
        "adapter": ("openai 1", "gemini 2"),
        "arm": ("audio", "cues"),
        "release": ("r-1", "r-2"),
        "counted at 8K": ("3 of 3", "2 of 3"),
    }
    same = compare_runs(a, side("c", rows, {"8K": "www"}), resamples=100)
    assert same.differences == ()


def test_models_of_the_catalogue_are_held_to_one_decoding() -> None:
    rows = release(questions(2))
    one, other = (side(name, rows, {"8K": "cw"}) for name in ("gemini-3.1-pro", "gpt-5.6-luna"))
    named = {each.what for each in compare_runs(one, other, resamples=100).differences}
    assert any(what.startswith("decoding: ") for what in named)
    elsewhere = replace(one, decoding={})
    assert compare_runs(elsewhere, other, resamples=100).differences == (), "it is not known"
    twice = compare_runs(one, one, resamples=100)
    assert twice.differences == ()
    assert twice.flips == ()


def test_items_that_changed_between_releases_are_left_out() -> None:
    before = questions(4)
    after = [*before[:2], before[2].model_copy(update={"gold": "milk"}), question("new")]
    one, other = release(before), release(after, name="r-2")
    common = Common(one, other)
    assert common.places == (("q0", "8K"), ("q1", "8K"))
    assert common.changed == (("q2", "8K"),)
    found = compare_runs(
        side("a", one, {"8K": "cccc"}), side("b", other, {"8K": "wccc"}), resamples=100
    )
    assert row(found, policy="paper").a.n == 2
    assert [each.question_id for each in found.flips] == ["q0"]
    assert any("2 items are the same" in note and "1 have" in note for note in found.table.notes)


def test_who_abstains_where_both_replied() -> None:
    rows = release(questions(5, refusals=2))
    a = side("a", rows, {"8K": "rccrf"})
    b = side("b", rows, {"8K": "cccrr"})
    found = {each.stratum: each for each in compare_runs(a, b, resamples=100).abstention}
    answerable, refusal = found["answerable"], found["refusal"]
    assert (answerable.n, answerable.a, answerable.b, answerable.a_only) == (3, 1, 0, 1)
    assert (refusal.n, refusal.a, refusal.b) == (1, 1, 1), "a failed reply abstains from nothing"
    assert found["all"].n == 4


def test_nothing_in_common_is_said() -> None:
    rows = release(questions(2), ("8K", "16K"))
    found = compare_runs(
        side("a", rows, {"8K": "cc"}), side("b", rows, {"16K": "cc"}), resamples=100
    )
    assert found.table.rows == ()
    assert found.flips == ()
    assert found.abstention == ()
    assert any("no budget" in note for note in found.table.notes)
    assert any("A alone has responses at 8K" in note for note in found.table.notes)
    empty = release([])
    nobody = compare_runs(side("a", empty, {}), side("b", empty, {}), resamples=100)
    assert nobody.table.records() == []
