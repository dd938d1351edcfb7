"""Forms over what was said."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.plan.forms import checks
from tests.plan.forms.drafts import MANY, candidates, forms_over
from voxmem.plan.preview import preview
from voxmem.query import AsOf, Latest
from voxmem.records import Plan
from voxmem.semantics import Answer, answer
from voxmem.taxonomy import AnswerType, EvidenceType

SEMANTICS = EvidenceType.SPEECH_SEMANTICS
FORMS = forms_over(SEMANTICS)


def test_every_route_has_forms_and_every_answer_type_occurs() -> None:
    checks.routes_are_covered(SEMANTICS, 4)
    assert checks.answer_types(SEMANTICS) == set(AnswerType)


def test_the_number_of_evidence_sessions_is_the_papers() -> None:
    assert 2.3 < checks.mean_evidence(SEMANTICS) < 2.65


def test_nobody_but_the_asker_speaks() -> None:
    for form in FORMS:
        for plan in candidates(form):
            assert {item.speaker for item in plan.sessions} == {plan.question.asker}


# --- particular forms -------------------------------------------------------------------------


def stated_only(plan: Plan) -> Plan:
    """The plan as one hears it who minds when something is said, and not from when on it holds."""
    sessions = tuple(
        item.model_copy(
            update={
                "facts": tuple(fact.model_copy(update={"effective": None}) for fact in item.facts)
            }
        )
        for item in plan.sessions
    )
    return plan.model_copy(update={"sessions": sessions})


def test_what_is_in_force_does_not_follow_from_when_it_was_said() -> None:
    misled = 0
    for plan in candidates("in_force_on"):
        assert any(fact.effective for item in plan.sessions for fact in item.facts)
        found = answer(
            plan.question.query, preview(stated_only(plan).sessions), plan.question.asker
        )
        misled += found != Answer(plan.question.gold)  # type: ignore[arg-type]
    assert misled > len(candidates("in_force_on")) / 2


def test_what_is_announced_ahead_starts_after_it_and_before_it_is_replaced() -> None:
    for plan in candidates("in_force_on", "paper", MANY):
        said = [item.timestamp for item in plan.sessions]
        starts = [item.facts[0].effective or item.timestamp for item in plan.sessions]
        assert all(start >= when for start, when in zip(starts, said, strict=True))  # type: ignore[operator]
        assert sorted(starts) == starts  # type: ignore[type-var]


def test_each_of_the_three_updates_is_asked_for_as_often() -> None:
    places: Counter[int] = Counter()
    for plan in candidates("in_force_on", "paper", MANY):
        values = [str(item.facts[0].value) for item in plan.sessions]
        places[values.index(str(plan.question.gold))] += 1
    assert set(places) == {0, 1, 2}
    assert min(places.values()) > MANY / 4


@pytest.mark.parametrize("form", ["value_as_of", "in_force_on"])
def test_the_day_asked_about_lies_before_the_question(form: str) -> None:
    for plan in candidates(form, "paper", MANY):
        assert isinstance(plan.question.query, AsOf)
        assert plan.question.query.at < plan.question.query_timestamp


def test_a_cancellation_is_always_heard_and_holds_half_of_the_time() -> None:
    made = candidates("latest_unless_cancelled", "paper", MANY)
    cancelled = 0
    for plan in made:
        statuses = [fact.status for item in plan.sessions for fact in item.facts]
        assert statuses.count("cancelled") == 1
        assert str(plan.question.gold) in plan.question.space.options
        cancelled += plan.question.gold == "cancelled"
        assert (plan.question.gold == "cancelled") == (statuses[-1] == "cancelled")
    assert 0.4 < cancelled / len(made) < 0.6


def test_an_earlier_state_is_never_the_latest_one() -> None:
    for form in ("nth_value", "value_as_of", "value_before"):
        for plan in candidates(form):
            latest = Latest(of=plan.question.query.of)  # type: ignore[union-attr]
            found = answer(latest, preview(plan.sessions), plan.question.asker)
            assert found != Answer(plan.question.gold)  # type: ignore[arg-type]


def test_free_text_is_about_phrases() -> None:
    for plan in candidates("latest_phrase"):
        assert plan.question.space.options == ()
        assert " " in str(plan.question.gold)
