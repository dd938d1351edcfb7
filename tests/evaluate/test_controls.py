"""The controls of the whole road: what systems without a model are right on, and on what not."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from voxmem.evaluate.controls import ANYTHING, CONTROLS, REFUSAL, Chance, as_text
from voxmem.evaluate.controls.chance import guess
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.runner import Run, evaluate
from voxmem.judge import RuleJudge
from voxmem.judge.runner import judge_run
from voxmem.models.registry import create
from voxmem.records import AnswerSpace, Question, Response
from voxmem.taxonomy import ACOUSTIC, AnswerType

BUDGETS = ("2K", "4K")


@cache
def judged(rows: ReleaseRows, system: str, budget: str) -> dict[str, bool]:
    """Question → whether the system was right, by the rule judge."""
    run = Run(rows, create(system), budget)
    evaluate(run)
    verdicts = judge_run(run, RuleJudge())
    assert {verdict.status for verdict in verdicts} <= {"correct", "incorrect"}
    names = {item.item_id: item.question.question_id for item in rows.items([budget])}
    right = {names[verdict.item_id]: verdict.status == "correct" for verdict in verdicts}
    assert set(right) == set(rows.questions)
    return right


def is_refusal(question: Question) -> bool:
    return question.gold is None


def from_words(question: Question) -> bool:
    """What a transcript decides: semantic questions, and that there is nothing to answer."""
    return is_refusal(question) or question.evidence_type not in ACOUSTIC


@pytest.mark.parametrize("budget", BUDGETS)
def test_abstain_is_right_on_every_refusal_item_and_nothing_else(
    rows: ReleaseRows, budget: str
) -> None:
    for name, right in judged(rows, "abstain", budget).items():
        assert right is is_refusal(rows.questions[name])


@pytest.mark.parametrize("budget", BUDGETS)
def test_oracle_is_right_on_everything(rows: ReleaseRows, budget: str) -> None:
    wrong = [name for name, right in judged(rows, "oracle", budget).items() if not right]
    assert wrong == []


@pytest.mark.parametrize("budget", BUDGETS)
def test_oracle_transcript_is_right_where_words_decide_and_nowhere_else(
    rows: ReleaseRows, budget: str
) -> None:
    for name, right in judged(rows, "oracle-transcript", budget).items():
        question = rows.questions[name]
        assert right is from_words(question), f"{question.form}: {question.text}"


@pytest.mark.parametrize("budget", BUDGETS)
def test_chance_is_wrong_on_every_refusal_item_and_not_right_on_all(
    rows: ReleaseRows, budget: str
) -> None:
    right = judged(rows, "chance", budget)
    assert not [name for name, ok in right.items() if ok and is_refusal(rows.questions[name])]
    answerable = [ok for name, ok in right.items() if not is_refusal(rows.questions[name])]
    assert sum(answerable) < len(answerable) / 2


def test_all_kinds_of_item_were_looked_at(rows: ReleaseRows) -> None:
    kinds = Counter((from_words(q), is_refusal(q)) for q in rows.questions.values())
    assert set(kinds) == {(True, True), (True, False), (False, False)}
    assert kinds[False, False] >= 12


def responses(rows: ReleaseRows, system: str, budget: str = "2K") -> list[Response]:
    return evaluate(Run(rows, create(system), budget))


def test_the_controls_never_fail(rows: ReleaseRows) -> None:
    for name in CONTROLS:
        for response in responses(rows, name):
            assert response.outcome == "ok"
            assert response.text
            assert response.system == name
            assert response.error is None


def test_abstain_and_a_refusing_oracle_say_the_same(rows: ReleaseRows) -> None:
    assert {response.text for response in responses(rows, "abstain")} == {REFUSAL}
    refused = [
        response
        for response in responses(rows, "oracle")
        if is_refusal(rows.questions[response.question_id])
    ]
    assert {response.text for response in refused} == {REFUSAL}


def test_oracle_gives_the_gold_as_it_is(rows: ReleaseRows) -> None:
    for response in responses(rows, "oracle"):
        gold = rows.questions[response.question_id].gold
        assert gold is None or response.text == as_text(gold)


# --- chance -----------------------------------------------------------------------------------


def test_chance_stays_inside_the_answer_space(rows: ReleaseRows) -> None:
    for budget in BUDGETS:
        for response in responses(rows, "chance", budget):
            question = rows.questions[response.question_id]
            space, text = question.space, str(response.text)
            if question.answer_type is AnswerType.NUMBER:
                assert space.low is not None
                assert space.high is not None
                assert space.low <= int(text) <= space.high
            elif question.answer_type is AnswerType.ORDERED_LIST:
                assert set(text.split(", ")) <= set(space.options)
                assert len(text.split(", ")) == space.length
            elif question.answer_type is AnswerType.UNORDERED_SET:
                assert set(text.split(", ")) <= set(space.options)
            else:
                assert text in space.options


def test_chance_is_seeded_by_the_item(rows: ReleaseRows) -> None:
    first = {row.item_id: row.text for row in responses(rows, "chance")}
    again = {row.item_id: row.text for row in evaluate(Run(rows, Chance(), "2K"))}
    other = {row.item_id: row.text for row in evaluate(Run(rows, Chance(seed=2), "2K"))}
    assert first == again
    assert first != other
    longer = {row.item_id: row.text for row in responses(rows, "chance", "4K")}
    assert len(set(longer) & set(first)) == 0
    assert [longer[name.replace("_2k", "_4k")] for name in first] != list(first.values())


@pytest.mark.parametrize(
    ("answer_type", "space"),
    [
        (AnswerType.YES_NO, AnswerSpace(options=("yes", "no"), closed=True)),
        (AnswerType.CATEGORICAL, AnswerSpace(options=("rain", "birds", "engine"))),
        (AnswerType.NUMBER, AnswerSpace(low=0, high=3)),
    ],
)
def test_chance_guesses_every_answer_about_equally_often(
    answer_type: AnswerType, space: AnswerSpace
) -> None:
    guesses = Counter(guess(answer_type, space, 1, f"item{number}") for number in range(600))
    size = len(space.options) or 4
    assert len(guesses) == size
    assert all(abs(count / 600 - 1 / size) < 0.08 for count in guesses.values())


def test_chance_guesses_lists_and_sets_of_the_options() -> None:
    space = AnswerSpace(options=("a", "b", "c"), length=2)
    for number in range(50):
        ordered = guess(AnswerType.ORDERED_LIST, space, 1, str(number))
        assert isinstance(ordered, tuple)
        assert len(set(ordered)) == 2
        chosen = guess(AnswerType.UNORDERED_SET, space, 1, str(number))
        assert isinstance(chosen, tuple)
        assert set(chosen) <= {"a", "b", "c"}
        assert list(chosen) == sorted(set(chosen))


def test_chance_has_no_chance_at_a_free_text() -> None:
    assert guess(AnswerType.FREE_TEXT, AnswerSpace(), 1, "item") == ANYTHING != REFUSAL
