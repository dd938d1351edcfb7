"""Subsets: what is written, what is drawn, and that a small sample is part of a large one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.populations import PAPER, population
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.subset import Chosen, choose, drawn, parse, stratum_of
from voxmem.records import AskedQuestion
from voxmem.taxonomy import CELLS, Cell, EvidenceType, Operation

QUESTIONS = population(PAPER)


def chosen(spec: str, questions: list[AskedQuestion] = QUESTIONS) -> Chosen:
    return choose(parse(spec), questions)


# --- the grammar ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("all", "all"),
        ("stratified:100", "stratified:100"),
        ("stratified:100@1", "stratified:100"),
        ("stratified:0100@07", "stratified:100@7"),
        ("question:b,a", "question:a,b"),
        ("operation:answer-refusal + evidence:Paralinguistic", None),
        ("cell:answer_refusal/paralinguistic,information_extraction/environmental", None),
        ("stratified:20+item:q_1_8k", "item:q_1_8k+stratified:20"),
    ],
)
def test_a_subset_has_one_text(written: str, canonical: str | None) -> None:
    subset = parse(written)
    if canonical is not None:
        assert str(subset) == canonical
    assert parse(str(subset)) == subset
    assert parse(written.split("+")) == subset, "repeated options are terms too"


def test_the_order_of_terms_and_names_does_not_matter() -> None:
    one = parse("evidence:environmental,paralinguistic+operation:answer_refusal")
    assert one == parse(
        ["operation:answer_refusal", "evidence:paralinguistic", "evidence:environmental"]
    )
    assert str(one) == "evidence:paralinguistic,environmental+operation:answer_refusal"


@pytest.mark.parametrize(
    ("written", "listed"),
    [
        ("evidence:smell", "speech_semantics, speaker_identity, paralinguistic, environmental"),
        ("operation:recall", "answer_refusal"),
        ("cell:information_extraction/speech_semantics", "information_extraction/speaker_identity"),
        ("budget:8K", "stratified:"),
        ("stratified:none", "stratified:N"),
        ("stratified:0", "stratified:N"),
        ("stratified:5+stratified:6", "stratified:N once"),
        ("evidence:", "evidence:"),
        ("", "stratified:"),
    ],
)
def test_what_is_not_in_the_grammar_is_refused_with_what_is(written: str, listed: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(written)
    assert listed in str(caught.value.remedy)


# --- what is left in --------------------------------------------------------------------------


def test_kinds_intersect_and_names_of_one_kind_unite() -> None:
    names = set(
        chosen("evidence:paralinguistic,environmental+operation:answer_refusal").question_ids
    )
    expected = {
        each.question_id
        for each in QUESTIONS
        if each.operation is Operation.ANSWER_REFUSAL
        and each.evidence_type in (EvidenceType.PARALINGUISTIC, EvidenceType.ENVIRONMENTAL)
    }
    assert names == expected
    assert len(expected) == 68


def test_a_cell_is_an_operation_over_an_evidence_type() -> None:
    at = CELLS.index(Cell(Operation.MULTI_SESSION_REASONING, EvidenceType.ENVIRONMENTAL))
    asked = chosen("cell:multi_session_reasoning/environmental").question_ids
    assert list(asked) == [f"q_{at:02d}_{number:03d}" for number in range(PAPER[at])]


def test_the_whole_is_no_sample() -> None:
    whole = chosen("all")
    assert list(whole.question_ids) == [each.question_id for each in QUESTIONS]
    assert not whole.is_sample
    assert set(whole.weights().values()) == {1.0}
    assert not chosen("stratified:5000").is_sample


def test_an_item_is_a_question_at_one_budget(rows: ReleaseRows) -> None:
    history = rows.histories[3]
    found = choose(parse(f"item:{history.item_id}"), rows.asked.values(), rows.histories)
    assert found.question_ids == (history.question_id,)
    assert [each.item_id for each in rows.histories if found.has(each)] == [history.item_id]
    both = choose(parse(f"question:{history.question_id}"), rows.asked.values())
    assert sum(both.has(each) for each in rows.histories) == 2


def test_names_that_the_release_does_not_have_are_told_with_those_near(rows: ReleaseRows) -> None:
    name = rows.histories[0].question_id
    with pytest.raises(UsageError, match="has no question") as caught:
        choose(parse(f"question:{name}x"), rows.asked.values())
    assert name in str(caught.value.remedy)
    assert str(len(rows.asked)) in str(caught.value.remedy)
    with pytest.raises(UsageError, match="has no item 'q_99_8k'"):
        choose(parse("item:q_99_8k"), rows.asked.values(), rows.histories)
    with pytest.raises(UsageError, match="no question meets"):
        chosen("question:q_00_000+evidence:environmental")


# --- stratified samples -----------------------------------------------------------------------


def test_every_stratum_is_there_and_has_about_its_share() -> None:
    for number in (15, 16, 50, 100, 400):
        sample = chosen(f"stratified:{number}")
        assert len(set(sample.question_ids)) == number
        for share in sample.strata:
            quota = number * share.population / len(QUESTIONS)
            assert max(1, quota - 1) <= share.asked < max(1, quota) + 1
        assert len(sample.strata) == 15


def test_too_small_a_sample_is_refused_with_the_least_number() -> None:
    with pytest.raises(UsageError, match="cannot stand for 15 strata") as caught:
        chosen("stratified:14")
    assert "15 or more" in str(caught.value.remedy)
    assert len(chosen("stratified:4+operation:answer_refusal").question_ids) == 4


@given(
    sizes=st.lists(st.integers(0, 20), min_size=15, max_size=15).filter(lambda s: sum(s) > 0),
    seed=st.integers(0, 3),
)
def test_samples_of_one_seed_are_nested_and_no_stratum_has_more_than_its_share(
    sizes: list[int], seed: int
) -> None:
    questions = population(sizes)
    order = drawn(questions, seed)
    assert sorted(each.question_id for each in order) == [each.question_id for each in questions]
    strata = Counter(map(stratum_of, questions))
    for number in range(len(strata), len(questions) + 1, 9):
        taken = Counter(map(stratum_of, order[:number]))
        assert taken.keys() == strata.keys()
        for name, count in taken.items():
            assert count < max(1.0, number * strata[name] / len(questions)) + 1


def test_a_sample_follows_from_its_seed_and_not_from_the_order_of_questions() -> None:
    small, large = (set(chosen(f"stratified:{n}").question_ids) for n in (50, 100))
    assert small < large
    assert (
        chosen("stratified:50", QUESTIONS[::-1]).question_ids
        == chosen("stratified:50").question_ids
    )
    assert set(chosen("stratified:50@2").question_ids) != small


def test_weights_give_every_stratum_its_share_back() -> None:
    questions = population((400, 20, 20))
    sample = chosen("stratified:20", questions)
    weights, total = sample.weights(), sum(sample.strata[n].asked for n in range(3))
    for share in sample.strata:
        assert weights[share.stratum] * share.asked / total == pytest.approx(
            share.population / len(questions)
        )
    assert sum(weights[each.stratum] * each.asked for each in sample.strata) == pytest.approx(20)


def test_a_refusal_under_another_operation_is_a_stratum_of_its_own() -> None:
    odd = QUESTIONS[0].model_copy(update={"expected_response": "insufficient_evidence"})
    assert stratum_of(odd) == f"{stratum_of(QUESTIONS[0])}/insufficient_evidence"
