"""Deterministic validation of a candidate: eight checks, each of which finds its own fault."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.plan.builders import (
    FORMS,
    PAPER,
    asking,
    candidates,
    changed,
    first,
)
from voxmem.plan.validate import WORDING_LENGTH, check_candidate, fits
from voxmem.records import AnswerSpace, Cue, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype

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
        "asks for no sound 'thunder'",
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
