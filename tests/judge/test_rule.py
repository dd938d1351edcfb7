"""The rule judge as a judge: rubric, outcomes, determinism, and any text at all."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from voxmem.errors import UsageError
from voxmem.judge import JUDGES, make_judge
from voxmem.judge.refusal import read_reply
from voxmem.judge.rule import RuleJudge, grade
from voxmem.records import Question, Response
from voxmem.vocabulary import DELIVERIES, SOUNDS

Make = Callable[..., Question]
MakeResponse = Callable[..., Response]
JUDGE = RuleJudge()

NAMES = (
    "rain", "train", "siren", "kitchen", "garden", "Marta", "Olga", "Tuesday", "Friday", "blue",
    "dark green", "sea waves", "clock ticking", "excited", "hesitant", "whispered", "monotone",
)  # fmt: skip
FRAMES = (
    "{}", "{}.", " {} ", "**{}**", '"{}"', "The answer is {}.", "Answer: {}", "It is {}.",
    "Based on the conversation, the answer is {}.", "Final answer: {}", "It was the {}.",
    '{{"answer": "{}"}}', "```\n{}\n```", "<think>let me see</think>{}", "I think it is {}.",
)  # fmt: skip
REFUSALS = ("insufficient evidence", "I don't know.", "I cannot hear audio.", "", "I can't say.")


def test_the_rubric_follows_expected_response(make_question: Make) -> None:
    answerable = make_question("yes_no", "yes")
    refusal = make_question("yes_no", None, expected="insufficient_evidence")
    assert not grade(answerable, "insufficient evidence")[0]
    assert grade(refusal, "insufficient evidence")[0]
    assert grade(answerable, "yes")[0]
    assert not grade(refusal, "yes")[0]


def test_an_unknown_rubric_is_a_load_error(make_question: Make) -> None:
    with pytest.raises(ValidationError):
        make_question("yes_no", "yes", expected="refuse")


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        ("ok", "correct"),
        ("truncated", "correct"),
        ("empty", "not_judged"),
        ("truncated_empty", "not_judged"),
        ("blocked", "not_judged"),
        ("rejected", "not_judged"),
        ("error", "not_judged"),
        ("context_overflow", "not_judged"),
        ("unsupported", "not_judged"),
    ],
)
def test_outcomes(
    make_question: Make, make_response: MakeResponse, outcome: str, status: str
) -> None:
    verdict = JUDGE.judge(make_question(), make_response("rain", outcome))
    assert verdict.status == status
    assert verdict.judge == JUDGE.identity
    assert verdict.item_id == "q1_8k"
    assert verdict.detail


def test_missing_text_is_incorrect(make_question: Make, make_response: MakeResponse) -> None:
    for question in (make_question(), make_question(gold=None, expected="insufficient_evidence")):
        assert JUDGE.judge(question, make_response(None)).status == "incorrect"


def test_an_answer_that_reads_null_is_gradable(
    make_question: Make, make_response: MakeResponse
) -> None:
    question = make_question("free_text", "null")
    assert JUDGE.judge(question, make_response("null")).status == "correct"


def test_registry() -> None:
    assert make_judge("rule").name == "rule"
    assert set(JUDGES) >= {"rule"}
    with pytest.raises(UsageError, match="no judge named"):
        make_judge("oracle of Delphi")


@given(gold=st.sampled_from(NAMES), frame=st.sampled_from(FRAMES), shout=st.booleans())
def test_formats_of_the_gold_answer_are_correct(
    make_question: Make, gold: str, frame: str, shout: bool
) -> None:
    reply = frame.format(gold.upper() if shout else gold)
    for kind in ("categorical", "free_text"):
        options = NAMES if kind == "categorical" else ()
        assert grade(make_question(kind, gold, options), reply)[0], (kind, reply)


@given(pair=st.permutations(NAMES).map(lambda names: names[:2]), frame=st.sampled_from(FRAMES))
def test_another_answer_is_incorrect(make_question: Make, pair: list[str], frame: str) -> None:
    gold, other = pair
    for kind in ("categorical", "free_text"):
        options = NAMES if kind == "categorical" else ()
        question = make_question(kind, gold, options)
        assert not grade(question, frame.format(other))[0]
        assert not grade(question, frame.format(f"{gold} or {other}"))[0]


@given(gold=st.integers(0, 3000), said=st.integers(0, 3000), frame=st.sampled_from(FRAMES))
@example(gold=1, said=10, frame="{}")
def test_numbers_by_value(make_question: Make, gold: int, said: int, frame: str) -> None:
    question = make_question("number", gold)
    assert grade(question, frame.format(said))[0] is (said == gold)
    assert grade(question, frame.format(f"{gold:,}"))[0]


@given(
    gold=st.lists(st.sampled_from(("red", "blue", "green", "gray")), min_size=2, max_size=5),
    said=st.lists(st.sampled_from(("red", "blue", "green", "gray")), min_size=2, max_size=5),
    joint=st.sampled_from((", ", " -> ", "; ", " then ", "\n", " / ")),
)
def test_lists(make_question: Make, gold: list[str], said: list[str], joint: str) -> None:
    options = ("red", "blue", "green", "gray")
    reply = joint.join(said)
    ordered = make_question("ordered_list", tuple(gold), options)
    assert grade(ordered, reply)[0] is (said == gold), reply
    unordered = make_question("unordered_set", tuple(dict.fromkeys(gold)), options)
    assert grade(unordered, reply)[0] is (set(said) == set(gold)), reply


CLOSED_SETS = (
    tuple(DELIVERIES),
    tuple(SOUNDS),
    tuple(dict.fromkeys(category for category, _ in SOUNDS.values())),
    tuple(dict.fromkeys(scene for _, scene in SOUNDS.values())),
)


@pytest.mark.parametrize("options", CLOSED_SETS)
def test_the_vocabulary_can_be_answered(make_question: Make, options: tuple[str, ...]) -> None:
    """Each label of each closed set is right for itself and for no other, in every frame."""
    for gold in options:
        question = make_question("categorical", gold, options)
        for said in options:
            for frame in FRAMES:
                assert grade(question, frame.format(said))[0] is (said == gold), (gold, said, frame)
    assert grade(make_question("ordered_list", options, options), ", ".join(options))[0]
    assert grade(make_question("unordered_set", options, options), ", ".join(options[::-1]))[0]


@given(refusal=st.sampled_from(REFUSALS), gold=st.sampled_from(NAMES))
def test_abstaining_on_an_answerable_item_is_incorrect(
    make_question: Make, refusal: str, gold: str
) -> None:
    for kind, answer in (("free_text", gold), ("yes_no", "no"), ("number", 0)):
        assert not grade(make_question(kind, answer), refusal)[0]
    assert not grade(make_question("free_text", gold), f"{refusal} Perhaps {gold}.")[0]


PIECES = st.lists(
    st.sampled_from(
        "no not yes evidence insufficient the conversation I can't tell , . : ( ) \" ' 3 one and "
        'or but maybe Tuesday {"answer": [ } ``` <think> -> € 1,000 twenty first of \n'.split(" ")
    ),
    max_size=25,
).map(" ".join)


@given(text=st.one_of(st.text(max_size=200), PIECES))
@example(text="[" * 3000)
@example(text="(" * 500 + "no" + ")" * 500)
@example(text='{"answer": null}')
@example(text="one hundred hundred and and thousand")
@example(text="\ud800")
def test_any_text_has_one_and_the_same_verdict(make_question: Make, text: str) -> None:
    questions = [
        make_question("categorical", "rain", NAMES),
        make_question("yes_no", "no"),
        make_question("number", 3),
        make_question("ordered_list", ("red", "blue"), ("red", "blue")),
        make_question("unordered_set", ("red", "blue")),
        make_question("free_text", "reading lamp"),
        make_question("free_text", None, expected="insufficient_evidence"),
    ]
    for question in questions:
        assert grade(question, text) == grade(question, text)
    assert read_reply(text) == read_reply(text)


@given(options=st.lists(st.text(max_size=12), max_size=6), gold=st.text(max_size=12))
def test_any_gold_and_options(make_question: Make, options: list[str], gold: str) -> None:
    question = make_question("categorical", gold, tuple(options))
    assert isinstance(grade(question, "It was rain.")[0], bool)


def test_speed(make_question: Make) -> None:
    """A slow rule would make the judge the bottleneck; the bound leaves room for slow machines."""
    questions = [
        make_question("categorical", "rain", NAMES),
        make_question(gold=None, expected="insufficient_evidence"),
    ]
    replies = [f"In session {n} the speaker said it was rain, not a train." for n in range(500)]
    start = time.process_time()
    for reply in replies:
        for question in questions:
            grade(question, reply)
    assert 2 * len(replies) / (time.process_time() - start) > 500
