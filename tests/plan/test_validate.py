"""Deterministic validation: the eight checks of a candidate, and the consequences of a plan."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.plan.builders import (
    DEMO,
    FORMS,
    PAPER,
    asking,
    candidates,
    changed,
    evidence,
    first,
    holding,
    rivalled,
    rivals,
)
from voxmem.plan.catalog import catalog
from voxmem.plan.chance import possible_answers
from voxmem.plan.preview import preview
from voxmem.plan.rivals import add_rivals
from voxmem.plan.validate import WORDING_LENGTH, at_budget, check, check_candidate, fits
from voxmem.plan.validate import first as first_of
from voxmem.records import AnswerSpace, Cue, Plan
from voxmem.semantics import Channel, mask
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype
from voxmem.vocabulary import SOUNDS

# --- candidates -------------------------------------------------------------------------------


def _outside(plan: Plan) -> Plan:
    assert plan.sessions[0].timestamp
    return changed(plan, timestamp=plan.sessions[0].timestamp - timedelta(days=365))


def _one_day(plan: Plan) -> Plan:
    when = plan.sessions[1].timestamp
    assert when
    return changed(plan, timestamp=when - timedelta(minutes=1))


def _fact(plan: Plan, **update: Any) -> Plan:
    (fact,) = plan.sessions[0].facts
    return changed(plan, facts=(fact.model_copy(update=update),))


BROKEN: list[tuple[str, str, str, Callable[[Plan], Plan]]] = [
    ("route", "there is no form", "total", lambda plan: asking(plan, form="totals")),
    ("route", "is not the route", "total", lambda plan: asking(plan, subtype=Subtype.COUNTING)),
    (
        "route",
        "is not the route",
        "total",
        lambda plan: asking(plan, evidence_type=EvidenceType.ENVIRONMENTAL),
    ),
    (
        "route",
        "is answered by a number",
        "total",
        lambda plan: asking(plan, answer_type=AnswerType.YES_NO),
    ),
    (
        "cardinality",
        "1 evidence session,",
        "total",
        lambda plan: asking(plan, evidence_session_ids=plan.question.evidence_session_ids[:1]),
    ),
    (
        "cardinality",
        "2 evidence sessions, where one",
        "voice_by_entity",
        lambda plan: asking(plan, evidence_session_ids=("one", "two")),
    ),
    (
        "cardinality",
        "0 evidence sessions",
        "voice_by_entity",
        lambda plan: asking(plan, evidence_session_ids=()),
    ),
    (
        "identifiers",
        "share an id",
        "total",
        lambda plan: changed(plan, session_id=plan.sessions[1].session_id),
    ),
    (
        "identifiers",
        "evidence nowhere is not among",
        "total",
        lambda plan: asking(
            plan,
            evidence_session_ids=("nowhere", *plan.question.evidence_session_ids[1:]),
        ),
    ),
    ("identifiers", "the asker p99", "total", lambda plan: asking(plan, asker="p99")),
    ("identifiers", "the speaker p99", "total", lambda plan: changed(plan, speaker="p99")),
    ("identifiers", "is not of the topic", "total", lambda plan: changed(plan, topic="astrology")),
    ("identifiers", "the session is not", "total", lambda plan: _fact(plan, entity="the moon")),
    ("identifiers", "cannot be 'never'", "total", lambda plan: _fact(plan, value="never")),
    ("identifiers", "mood cannot be", "total", lambda plan: _fact(plan, attribute="mood")),
    ("identifiers", "has no turn 12", "total", lambda plan: changed(plan, key_turn=12)),
    (
        "labels",
        "there is no vocal_state 'furious'",
        "voice_by_entity",
        lambda plan: changed(plan, cue=Cue(dimension="vocal_state", value="furious")),
    ),
    (
        "labels",
        "there is no rate 'sad'",
        "voice_by_entity",
        lambda plan: changed(plan, cue=Cue(dimension="rate", value="sad")),
    ),
    (
        "labels",
        "there is no sound 'thunder'",
        "sound_by_entity",
        lambda plan: changed(plan, sound="thunder"),
    ),
    ("timestamps", "has no timestamp", "total", lambda plan: changed(plan, timestamp=None)),
    ("timestamps", "outside the window", "total", _outside),
    ("timestamps", "on one day", "total", _one_day),
    (
        "timestamps",
        "before its evidence",
        "total",
        lambda plan: asking(plan, query_timestamp=datetime(2025, 3, 1)),
    ),
    ("wording", "has 6 characters", "total", lambda plan: asking(plan, text="Total?")),
    (
        "wording",
        "has 301 characters",
        "total",
        lambda plan: asking(plan, text="?" * (WORDING_LENGTH[1] + 1)),
    ),
    (
        "wording",
        "cannot be spoken: '{'",
        "total",
        lambda plan: asking(plan, text="What is the {noun} of it all?"),
    ),
    (
        "wording",
        "gives its answer away",
        "latest_value",
        lambda plan: asking(plan, text=f"So it is {plan.question.gold}, isn't it?"),
    ),
    ("gold", "the evidence gives", "total", lambda plan: asking(plan, gold=-1)),
    ("gold", "the evidence gives", "total", lambda plan: asking(plan, gold=None)),
    (
        "answer_space",
        "is not a permitted number",
        "total",
        lambda plan: asking(plan, space=AnswerSpace(low=0, high=1)),
    ),
    (
        "answer_space",
        "is not a permitted categorical",
        "voice_by_entity",
        lambda plan: asking(plan, space=AnswerSpace(options=("bored", "calm"), closed=True)),
    ),
]


@pytest.mark.parametrize(
    ("check_name", "detail", "form", "spoil"), BROKEN, ids=[f"{row[0]}: {row[1]}" for row in BROKEN]
)
def test_what_is_wrong_with_a_candidate_is_named(
    check_name: str, detail: str, form: str, spoil: Callable[[Plan], Plan]
) -> None:
    plan = first(form)
    assert check_candidate(plan, PAPER) is None
    fault = check_candidate(spoil(plan), PAPER)
    assert fault is not None
    assert fault.consequence == check_name
    assert detail in fault.detail


def test_all_eight_checks_are_tried() -> None:
    assert list(dict.fromkeys(row[0] for row in BROKEN)) == [
        "route",
        "cardinality",
        "identifiers",
        "labels",
        "timestamps",
        "wording",
        "gold",
        "answer_space",
    ]


def test_the_first_fault_is_named() -> None:
    plan = first("total")
    assert check_candidate(asking(plan, gold=-1, text="?"), PAPER) is not None
    fault = check_candidate(asking(plan, gold=-1, text="?", form="totals"), PAPER)
    assert fault is not None
    assert fault.consequence == "route"


@pytest.mark.parametrize("form", FORMS)
def test_candidates_of_every_form_pass(form: str) -> None:
    assert [check_candidate(plan, PAPER) for plan in candidates(form, "paper", 3)] == [None] * 3


def test_a_question_may_refer_to_a_session_beside_the_one_that_bears_the_answer() -> None:
    plan = first("what_they_said")
    assert len(plan.question.evidence_session_ids) == 2
    assert plan.question.operation is Operation.INFORMATION_EXTRACTION
    assert check_candidate(plan, PAPER) is None


WITH_BOUNDS = AnswerSpace(low=1, high=3)
OPTIONS = AnswerSpace(options=("a", "b"), length=2)


@pytest.mark.parametrize(
    ("gold", "space", "answer_type", "permitted"),
    [
        ("yes", AnswerSpace(), AnswerType.YES_NO, True),
        ("maybe", AnswerSpace(), AnswerType.YES_NO, False),
        (3, WITH_BOUNDS, AnswerType.NUMBER, True),
        (4, WITH_BOUNDS, AnswerType.NUMBER, False),
        (0, WITH_BOUNDS, AnswerType.NUMBER, False),
        (-1, AnswerSpace(), AnswerType.NUMBER, False),
        (99, AnswerSpace(), AnswerType.NUMBER, True),
        ("3", WITH_BOUNDS, AnswerType.NUMBER, False),
        (("a", "b"), OPTIONS, AnswerType.ORDERED_LIST, True),
        (("a",), OPTIONS, AnswerType.ORDERED_LIST, False),
        (("a", "c"), OPTIONS, AnswerType.UNORDERED_SET, False),
        ((), AnswerSpace(), AnswerType.UNORDERED_SET, False),
        ("a", AnswerSpace(), AnswerType.UNORDERED_SET, False),
        ("a", OPTIONS, AnswerType.CATEGORICAL, True),
        (5, AnswerSpace(options=("5",)), AnswerType.CATEGORICAL, True),
        ("c", OPTIONS, AnswerType.CATEGORICAL, False),
        ("anything", AnswerSpace(), AnswerType.FREE_TEXT, True),
        (("a",), AnswerSpace(), AnswerType.FREE_TEXT, False),
    ],
)
def test_what_a_question_permits(
    gold: Any, space: AnswerSpace, answer_type: AnswerType, permitted: bool
) -> None:
    assert fits(gold, space, answer_type) is permitted


# --- plans with their distractors -------------------------------------------------------------


def test_shorter_budgets_hold_a_part_of_what_longer_ones_hold() -> None:
    (plan,) = rivalled("voice_fact_of_entity", "paper", 1)
    held = [at_budget(plan, budget) for budget in PAPER.budgets]
    assert [len(items) - 1 for items in held] == [1, 2, 4, 8]
    names = [{item.session_id for item in items} for items in held]
    assert all(one < two for one, two in zip(names, names[1:], strict=False))
    assert first_of(plan, "samekey_haystack", 2) == tuple(rivals(plan)[:2])


def test_a_consequence_is_named_with_the_budgets_at_which_it_fails() -> None:
    """The fourth distractor says what the evidence says, so histories of four and more hold two
    such sessions."""
    (plan,) = rivalled("voice_fact_of_entity", "paper", 1)
    assert check(plan, PAPER) == []
    (mine,), fourth = evidence(plan), rivals(plan)[3]
    update = {"facts": mine.facts, "cue": mine.cue, "entities": mine.entities, "topic": mine.topic}
    twin = fourth.model_copy(update=update)
    twin = twin.model_copy(
        update={"facts": (mine.facts[0].model_copy(update={"value": fourth.facts[0].value}),)}
    )
    spoilt = holding(
        plan, [twin if item.session_id == fourth.session_id else item for item in plan.sessions]
    )
    found = check(spoilt, PAPER)
    assert {fault.consequence for fault in found} == {"gold_recomputed"}
    assert [fault.detail.partition(":")[0] for fault in found] == ["at 32K", "at 64K"]


def test_a_plan_without_distractors_fails_the_shortcut() -> None:
    plan = first("voice_fact_of_entity")
    found = check(plan, PAPER)
    assert [fault.consequence for fault in found] == ["shortcut_fails"]
    assert found[0].detail.startswith("at 8K: ")


@pytest.mark.parametrize(
    ("form", "consequence", "spoil"),
    [
        ("total", "gold_recomputed", lambda plan: asking(plan, gold=-1)),
        (
            "total",
            "identifiers",
            lambda plan: asking(
                plan, evidence_session_ids=(*plan.question.evidence_session_ids, "nowhere")
            ),
        ),
        (
            "total",
            "labels",
            lambda plan: changed(plan, sound="thunder"),
        ),
        (
            "total",
            "evidence_necessary",
            lambda plan: asking(
                plan,
                evidence_session_ids=(
                    *plan.question.evidence_session_ids,
                    rivals(plan)[0].session_id,
                ),
            ),
        ),
        (
            "total",
            "order",
            lambda plan: asking(plan, operation=Operation.TEMPORAL_EVOLUTION_TRACKING),
        ),
        (
            "value_sequence",
            "order",
            lambda plan: asking(plan, operation=Operation.MULTI_SESSION_REASONING),
        ),
        (
            "total",
            "own_channel_necessary",
            lambda plan: asking(plan, evidence_type=EvidenceType.ENVIRONMENTAL),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plan_that_claims_too_much(
    form: str, consequence: str, spoil: Callable[[Plan], Plan]
) -> None:
    (plan,) = rivalled(form, "demo", 1)
    assert check(plan, DEMO) == []
    assert consequence in {fault.consequence for fault in check(spoil(plan), DEMO)}


# --- chance -----------------------------------------------------------------------------------


def _by_words_alone() -> Plan:
    """The asker gave two numbers; somebody else gave the larger thing a larger one yet: which one
    is meant is open, but not which thing is ahead."""
    for plan in candidates("my_extreme", "paper", 40):
        ahead = next(item for item in plan.sessions if item.entities == (plan.question.gold,))
        (fact,) = ahead.facts
        numbers = catalog().attributes[fact.attribute].domain
        larger = [number for number in numbers if int(number) > int(fact.value)]
        if larger and not plan.question.query.least:  # type: ignore[union-attr]
            update = {
                "entities": ahead.entities,
                "topic": ahead.topic,
                "speaker": next(one for one in plan.cast if one != plan.question.asker),
                "facts": (fact.model_copy(update={"value": larger[0]}),),
            }
            rival = rivals(add_rivals(PAPER, plan))[0].model_copy(update=update)
            return holding(plan, [*plan.sessions, rival])
    raise AssertionError("no candidate of that kind")


def test_one_answer_left_without_the_own_channel_is_a_chance_level_of_one() -> None:
    plan = _by_words_alone()
    assert possible_answers(plan.question, preview(plan.sessions)) == 1
    found = check(plan, PAPER)
    assert [fault.consequence for fault in found] == ["chance_level"]
    assert found[0].detail.startswith("at 8K: ")


@pytest.mark.parametrize(
    ("form", "left"),
    [("voice_by_entity", 4), ("rate_by_entity", 2), ("was_it_me", 2), ("voice_same", 2)],
)
def test_any_option_is_left_where_one_hears_nothing(form: str, left: int) -> None:
    for plan in rivalled(form, "paper", 2):
        assert possible_answers(plan.question, preview(at_budget(plan, PAPER.budgets[0]))) == left


def test_a_sound_that_nobody_hears_may_be_any() -> None:
    (plan,) = rivalled("sound_by_entity", "paper", 1)
    shortest = preview(at_budget(plan, PAPER.budgets[0]))
    assert possible_answers(plan.question, shortest) == len(SOUNDS)
    # What is hidden already, and does not concern the question, changes nothing.
    muted = mask(shortest, {Channel.DELIVERY})
    assert possible_answers(plan.question, muted) == len(SOUNDS)


def test_values_that_are_in_no_session_are_possible_too() -> None:
    """Of a fact that the asker gave, whose words are hidden, any value of its attribute."""
    (plan,) = rivalled("latest_value", "paper", 1)
    count = possible_answers(plan.question, preview(at_budget(plan, PAPER.budgets[0])))
    assert count >= len(plan.question.space.options)
