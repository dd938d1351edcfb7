"""Denominators: what each policy counts, and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from voxmem.analyze.accuracy import Scored, accuracy, join
from voxmem.records import AnswerSpace, Outcome, Question, Response, Verdict

Case = tuple[Outcome, str]
"""An outcome and a verdict status."""


def case(question: Question, at: int, outcome: Outcome, status: str) -> Scored:
    name = f"r{at}"
    response = Response(
        response_id=name,
        item_id=f"i{at}",
        question_id=question.question_id,
        budget="2K",
        system="x",
        arm="audio",
        outcome=outcome,
        text="…" if outcome in ("ok", "truncated") else None,
        prompt_hash="0",
    )
    verdict = Verdict.model_validate(
        {"response_id": name, "item_id": f"i{at}", "judge": "j", "status": status}
    )
    return Scored(question, response, verdict)


def cases(question: Question, listed: Sequence[Case]) -> list[Scored]:
    return [case(question, at, *one) for at, one in enumerate(listed)]


def test_four_of_ten_and_four_of_seven(question: Question) -> None:
    # 10 items: 4 right, 3 wrong, 2 failed, 1 unparsed.
    rows = cases(
        question,
        [("ok", "correct")] * 4
        + [("ok", "incorrect")] * 3
        + [("error", "not_judged"), ("truncated_empty", "not_judged"), ("ok", "unparsed")],
    )
    (paper,), (code,) = accuracy(rows, ["system"], "paper"), accuracy(rows, ["system"], "code")
    assert (paper.correct, paper.n, paper.value) == (4, 10, 0.4)
    assert (code.correct, code.n) == (4, 7)
    assert code.value == pytest.approx(0.5714, abs=1e-4)
    for row in (paper, code):
        assert (row.responses, row.failed, row.unparsed) == (10, 2, 1)


@pytest.mark.parametrize("outcome", ["empty", "truncated_empty", "blocked", "error"])
def test_a_failed_generation_is_wrong_for_the_paper_and_absent_for_the_code(
    question: Question, outcome: Outcome
) -> None:
    rows = cases(question, [("ok", "correct"), (outcome, "not_judged")])
    assert [row.value for row in accuracy(rows, ["system"], "paper")] == [0.5]
    assert [row.value for row in accuracy(rows, ["system"], "code")] == [1.0]


@pytest.mark.parametrize("outcome", ["rejected", "context_overflow", "unsupported"])
@pytest.mark.parametrize("policy", ["paper", "code"])
def test_what_never_reached_inference_counts_for_neither(
    question: Question, outcome: Outcome, policy: str
) -> None:
    rows = cases(question, [("ok", "correct"), (outcome, "not_judged")])
    (row,) = accuracy(rows, ["system"], "paper" if policy == "paper" else "code")
    assert (row.correct, row.n, row.responses) == (1, 1, 2)


def test_a_cut_answer_is_judged_as_it_stands(question: Question) -> None:
    rows = cases(question, [("truncated", "correct"), ("truncated", "incorrect")])
    (row,) = accuracy(rows, ["system"], "code")
    assert (row.correct, row.n, row.failed) == (1, 2, 0)


def test_no_denominator_is_no_number(question: Question) -> None:
    (row,) = accuracy(cases(question, [("rejected", "not_judged")]), ["system"], "paper")
    assert (row.n, row.value) == (0, None)
    assert accuracy([], ["system"], "paper") == []


def test_groups_come_apart_and_in_order_of_appearance(question: Question) -> None:
    refusal = question.model_copy(update={"gold": None})
    rows = [
        case(refusal, 0, "ok", "correct"),
        case(question, 1, "ok", "incorrect"),
        case(refusal, 2, "ok", "incorrect"),
    ]
    found = accuracy(rows, ["stratum", "operation"], "paper")
    operation = question.operation.value
    assert [row.group for row in found] == [("refusal", operation), ("answerable", operation)]
    assert [(row.correct, row.n) for row in found] == [(1, 2), (0, 1)]


def test_join_leaves_out_what_has_no_verdict_or_no_question(question: Question) -> None:
    rows = cases(question, [("ok", "correct")] * 3)
    responses = [row.response for row in rows]
    foreign = responses[2].model_copy(update={"question_id": "of another release"})
    verdicts = [rows[0].verdict, rows[2].verdict]
    joined = join({question.question_id: question}, [*responses[:2], foreign], verdicts)
    assert [row.response.response_id for row in joined] == ["r0"]


@pytest.fixture
def question() -> Question:
    return Question.model_validate(
        {
            "question_id": "q",
            "family_id": "f",
            "evidence_type": "speech_semantics",
            "operation": "multi_session_reasoning",
            "subtype": "counting",
            "source_operation": "multi_session_reasoning",
            "form": "count",
            "text": "How many?",
            "query": {"op": "count", "of": {"kind": "open", "where": []}},
            "asker": "p01",
            "query_timestamp": "2025-09-01T10:00:00",
            "answer_type": "number",
            "space": AnswerSpace(low=0, high=9),
            "expected_response": "answer",
            "gold": 3,
            "evidence_session_ids": [],
        }
    )
