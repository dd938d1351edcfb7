"""Controls that learn from other questions: what they find, and what they may not look at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from tests.evaluate.imported import as_imported, asked
from voxmem.errors import UsageError
from voxmem.evaluate.controls import LEARNERS, REFUSAL, as_text, prepared
from voxmem.evaluate.items import ReleaseRows
from voxmem.models.item import Item
from voxmem.models.registry import Control, create
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    Gold,
    History,
    ImportedClip,
    Length,
)
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype

YES_NO = AnswerSpace(options=("yes", "no"), closed=True)
NOTHING = Length(audio_seconds=0, audio_tokens=0, text_tokens=0, clips=0)


def question(
    name: str,
    gold: Gold | None,
    text: str = "Was it so?",
    space: AnswerSpace = YES_NO,
    answer_type: AnswerType = AnswerType.YES_NO,
    family: str | None = None,
) -> AskedQuestion:
    return AskedQuestion(
        question_id=name,
        family_id=family or f"fam_{name}",
        evidence_type=EvidenceType.PARALINGUISTIC,
        operation=Operation.MULTI_SESSION_REASONING,
        subtype=Subtype.MATCHING,
        source_operation=Operation.MULTI_SESSION_REASONING,
        text=text,
        query_timestamp=datetime(2025, 5, 1),
        answer_type=answer_type,
        space=space,
        expected_response="insufficient_evidence" if gold is None else "answer",
        gold=gold,
        evidence_session_ids=(),
    )


def item(asked_for: AskedQuestion) -> Item:
    name = asked_for.question_id
    clip = ImportedClip(sha256="0", samples=1, owner=name, turn=0, container="WAV", rate=24_000)
    history = History(
        item_id=f"{name}_8k", question_id=name, budget="8K", placements=(), length=NOTHING
    )
    return Item(asked_for, history, {}, {}, clip, lambda sha: b"")


def control(name: str, questions: Iterable[AskedQuestion]) -> Control:
    system = create(name)
    assert isinstance(system, Control)
    return prepared(system, questions)


def says(system: Control, asked_for: AskedQuestion) -> str:
    return str(asyncio.run(system.decide(item(asked_for))).text)


def replies(system: Control, questions: Sequence[AskedQuestion]) -> list[str]:
    return [says(system, each) for each in questions]


def share_right(system: Control, questions: Sequence[AskedQuestion]) -> float:
    golds = [REFUSAL if each.gold is None else as_text(each.gold) for each in questions]
    return sum(map(str.__eq__, golds, replies(system, questions))) / len(questions)


def test_majority_gives_the_most_frequent_answer_of_the_same_space() -> None:
    tempo = AnswerSpace(options=("fast", "slow"), closed=True)
    others = [question(f"a{n}", "yes") for n in range(5)] + [
        question(f"b{n}", "no") for n in (1, 2)
    ]
    others += [question(f"c{n}", "slow", space=tempo) for n in range(4)]
    mine = question("mine", "no")
    majority = control("majority", [*others, mine])
    assert says(majority, mine) == "yes"
    assert says(majority, others[-1]) == "slow"


def test_that_there_is_no_answer_may_be_the_most_frequent_one() -> None:
    questions = [question(f"r{n}", None) for n in range(6)] + [question("y", "yes")]
    for name in LEARNERS:
        assert says(control(name, questions), questions[-1]) == REFUSAL


@pytest.mark.parametrize("name", LEARNERS)
def test_whoever_knows_nothing_is_right_by_chance_and_not_less(name: str) -> None:
    """Of a balanced set without the question itself, the other answer is always in the lead."""
    questions = [
        question(f"q{n:03d}", ("yes", "no")[n % 2], f"Was topic{n // 10} there?")
        for n in range(200)
    ]
    assert 0.4 < share_right(control(name, questions), questions) < 0.6


def test_question_only_finds_what_the_words_give_away_and_majority_does_not() -> None:
    gold = {"amber": "yes", "violet": "no", "silver": None}
    questions = [
        question(f"{word}{n}", gold[word], f"Was the {word} lamp number {n} there?")
        for word in gold
        for n in range(20)
    ]
    assert share_right(control("question-only", questions), questions) == 1.0
    assert share_right(control("majority", questions), questions) < 0.6


def test_question_only_answers_within_the_options_of_the_question() -> None:
    others = [
        question(f"o{n}", "rain", "What was heard?", AnswerSpace(), AnswerType.CATEGORICAL)
        for n in range(9)
    ]
    space = AnswerSpace(options=("birds", "wind"), closed=True)
    others.append(question("w", "wind", "What was it?", space, AnswerType.CATEGORICAL))
    mine = question("m", "birds", "What was heard?", space, AnswerType.CATEGORICAL)
    assert says(control("question-only", [*others, mine]), mine) == "wind"
    alone = control("question-only", [*others[:-1], mine])
    assert says(alone, mine) in space.options


def test_options_that_only_one_question_has_are_guessed_at() -> None:
    space = AnswerSpace(options=("the barn", "the mill"), closed=True)
    mine = question("m", "the mill", "Which one?", space, AnswerType.CATEGORICAL)
    others = [question(f"o{n}", None, answer_type=AnswerType.CATEGORICAL) for n in range(3)]
    assert says(control("majority", [*others, mine]), mine) in space.options


@pytest.mark.parametrize("name", ["chance", *LEARNERS])
def test_the_golds_of_its_own_family_are_never_looked_at(rows: ReleaseRows, name: str) -> None:
    imported = [asked(each) for each in rows.questions.values()]
    for questions in (list(rows.asked.values()), imported):
        told = replies(control(name, questions), questions)
        for at, each in enumerate(questions):
            other = [
                one.model_copy(update={"gold": None if one.gold is not None else "yes"})
                if one.family_id == each.family_id
                else one
                for one in questions
            ]
            assert says(control(name, reversed(other)), other[at]) == told[at]


@pytest.mark.parametrize("name", ["chance", *LEARNERS])
def test_imported_items_are_answered_with_answers_of_their_kind(
    rows: ReleaseRows, name: str
) -> None:
    items = [as_imported(each) for each in rows.items(["2K"])]
    system = control(name, [each.question for each in items])
    told = [(each.question, asyncio.run(system.decide(each)).text or "") for each in items]
    for asked_for, text in told:
        if text == REFUSAL:
            assert name != "chance"
        elif asked_for.answer_type is AnswerType.YES_NO:
            assert text in ("yes", "no")
        elif asked_for.answer_type is AnswerType.NUMBER:
            assert text.isdecimal()
    assert len({text for _, text in told}) > 5


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_answer_a_release_and_say_so_if_they_have_not_seen_it(
    rows: ReleaseRows, name: str
) -> None:
    items = rows.items(["2K"])
    system = control(name, rows.asked.values())
    assert all(asyncio.run(system.decide(each)).outcome == "ok" for each in items)
    assert system.fingerprint == create(name).fingerprint
    unprepared = create(name)
    assert isinstance(unprepared, Control)
    with pytest.raises(UsageError, match="has not seen") as caught:
        asyncio.run(unprepared.decide(items[0]))
    assert caught.value.item == items[0].question.question_id


def test_an_imported_item_cannot_be_put_to_an_oracle(rows: ReleaseRows) -> None:
    oracle = create("oracle")
    assert isinstance(oracle, Control)
    imported = replace(as_imported(rows.items(["2K"])[0]))
    with pytest.raises(UsageError, match="carries no annotations"):
        asyncio.run(prepared(oracle, ()).decide(imported))
