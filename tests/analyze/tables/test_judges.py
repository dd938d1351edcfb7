"""Two judges: Table 13 and Appendix C.5 of VoxMem to the printed digit, and what is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analyze.marks import question, scores
from tests.analyze.tables.two_judges import study
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Interval
from voxmem.analyze.tables import judge_agreement, judge_bias, judge_ranks, judge_refusals

TABLE_13 = {
    "all": (11978, "31.1", "31.9", "+0.8", "98.0", "0.953"),
    "speech_semantics": (3478, "48.0", "48.6", "+0.6", "98.7", "0.974"),
    "speaker_identity": (2202, "37.0", "38.0", "+1.0", "95.6", "0.907"),
    "paralinguistic": (3958, "19.7", "20.5", "+0.8", "98.3", "0.948"),
    "environmental": (2340, "19.7", "20.7", "+1.1", "98.4", "0.951"),
    "information_extraction": (3447, "26.3", "26.4", "+0.1", "97.5", "0.936"),
    "multi_session_reasoning": (3313, "35.0", "35.7", "+0.7", "99.0", "0.978"),
    "temporal_evolution_tracking": (3269, "33.2", "34.0", "+0.8", "97.8", "0.950"),
    "answer_refusal": (1949, "29.4", "31.8", "+2.4", "97.3", "0.936"),
}
C, W, U = Mark.CORRECT, Mark.INCORRECT, Mark.UNPARSED


def _percent(value: float | None, form: str = ".1f") -> str:
    assert value is not None
    return format(100 * value, form)


def test_table_13() -> None:
    rows = [row for row in judge_agreement.make(study()).rows if row.policy == "paper"]
    found = {row.slice: row for row in rows if row.by != "answer_type"}
    assert set(found) == set(TABLE_13)
    for name, printed in TABLE_13.items():
        row = found[name]
        shown = (
            row.n,
            _percent(row.accuracy_a.value),
            _percent(row.accuracy_b.value),
            _percent(row.delta, "+.1f"),
            _percent(row.agreement),
            f"{row.kappa.value:.3f}",
        )
        assert shown == printed, name
    assert _percent(found["all"].agreement, ".2f") == "97.95"
    assert found["answer_refusal"].b_only == 50
    assert found["all"].accuracy_a.expected == 15 * 799


def test_appendix_c5_on_ranks() -> None:
    [row] = [row for row in judge_ranks.make(study()).rows if row.policy == "paper"]
    assert f"{row.spearman:.3f}" == "0.999"
    assert _percent(row.mean_difference, ".2f") == "0.86"
    assert row.entrants == 15


def test_appendix_c5_on_the_judges_own_family() -> None:
    table = judge_bias.make(study(), families={"gemini"})
    found = {row.family: row for row in table.rows if row.policy == "paper"}
    assert _percent(found["own family"].gap.value, ".2f") == "-0.13"
    assert _percent(found["other families"].gap.value, ".2f") == "-1.00"
    favour = found["own less other"].gap
    assert _percent(favour.value, ".2f") == "0.88"
    assert favour.low is not None
    assert favour.high is not None
    assert 0 < favour.low < 0.0088 < favour.high < 0.02
    assert found["gemini"].own
    assert (found["gemini"].models, found["gemini"].n) == (3, 3 * 799)


def test_appendix_c5_on_refusals() -> None:
    found = {row.reading: row for row in judge_refusals.make(study()).rows if row.policy == "paper"}
    assert (found["all"].n, found["all"].b_only, found["all"].a_only) == (1949, 50, 3)
    assert found["capability_refusal"].b_only == 32
    unread = judge_refusals.make(replace(study(), readings=None))
    assert [row.reading for row in unread.rows] == ["all", "all"]
    assert any("not read" in note for note in unread.notes)


def test_only_what_both_scored_is_compared() -> None:
    first = scores([[[C, C, W, U]], [[C, W, W, W]]])
    second = scores([[[C, W, U, U]]], judge="other-1")  # did not see the second entrant
    [paper, code] = [
        row for row in judge_agreement.make(Study(first, others=(second,))).rows if row.by == "all"
    ]
    assert (paper.n, paper.accuracy_a.correct, paper.a_only, paper.agreement) == (4, 2, 1, 0.75)
    assert (code.n, code.accuracy_b.correct, code.kappa) == (2, 1, Interval())


def test_alignment_is_by_name() -> None:
    first = scores([[[C, W]], [[W, W]]])
    turned = Scores(
        first.entrants[::-1], ("8K",), first.questions[::-1], first.marks[::-1, :, ::-1], "other-1"
    )
    [row, _] = [
        row for row in judge_agreement.make(Study(first, others=(turned,))).rows if row.by == "all"
    ]
    assert (row.n, row.agreement) == (4, 1.0)


@pytest.mark.parametrize("others", [(), (scores([[[Mark.ABSENT]]], judge="b"),)])
def test_without_a_second_judge_there_is_a_note_and_no_number(others: tuple[Scores, ...]) -> None:
    lone = Study(scores([[[C]]]), Choices(resamples=20), others)
    for make in (judge_agreement.make, judge_bias.make, judge_ranks.make, judge_refusals.make):
        table = make(lone)
        assert any("one judge" in note or "no verdict" in note for note in table.notes)
        for row in table.records():
            assert not row.get("n")
            assert row.get("kappa") is row.get("gap") is row.get("spearman") is None


def test_no_entrants_and_no_questions() -> None:
    nothing = Scores.of([], [], [], "rule-1")
    for make in (judge_agreement.make, judge_bias.make, judge_ranks.make, judge_refusals.make):
        make(Study(nothing, others=(nothing,)))


def test_the_family_of_a_judge_is_that_of_its_models() -> None:
    assert judge_bias.families_of("gemini-3.1-pro-0a1b2c3d") == {"gemini"}
    assert judge_bias.families_of("pre+gemini-3.1-pro-0a1b2c3d") == {"gemini"}
    assert judge_bias.families_of("rule-7") == frozenset()
    who = [Entrant(name="m0", system="m0", family="gemini")]
    one = scores([[[C]]], [question("q")], who, judge="gemini-3.1-pro-0a1b2c3d")
    table = judge_bias.make(Study(one, Choices(resamples=20), (one,)))
    assert {row.family for row in table.rows if row.own} == {"gemini", "own family"}
