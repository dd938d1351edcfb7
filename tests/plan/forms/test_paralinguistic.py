"""Forms over how something was said."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.plan.forms import checks
from tests.plan.forms.drafts import MANY, candidates, forms_over, rivalled
from voxmem.plan.preview import preview
from voxmem.records import Plan
from voxmem.semantics import Channel, Insufficient, answer, mask
from voxmem.taxonomy import AnswerType, EvidenceType
from voxmem.vocabulary import CONFUSABLE, DELIVERIES

PARALINGUISTIC = EvidenceType.PARALINGUISTIC
FORMS = forms_over(PARALINGUISTIC)


def cues(plan: Plan) -> list[str | None]:
    """The deliveries of the evidence, in order of time."""
    return [item.cue.value if item.cue else None for item in plan.sessions]


def test_every_route_has_forms_and_every_answer_type_occurs() -> None:
    checks.routes_are_covered(PARALINGUISTIC, 3)
    assert checks.answer_types(PARALINGUISTIC) == set(AnswerType)


def test_the_number_of_evidence_sessions_is_the_papers() -> None:
    assert 2.3 < checks.mean_evidence(PARALINGUISTIC) < 2.75


@pytest.mark.parametrize("form", FORMS)
def test_a_perfect_transcript_does_not_answer(form: str) -> None:
    for plan in rivalled(form):
        episodes = mask(preview(plan.sessions), {Channel.DELIVERY})
        found = answer(plan.question.query, episodes, plan.question.asker)
        assert isinstance(found, Insufficient)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_that_is_compared_is_confusable(form: str) -> None:
    for plan in candidates(form):
        heard = {cue for cue in cues(plan) if cue is not None} | set(plan.question.space.options)
        if form == "voice_which":  # who else is heard need not be told from each other
            continue
        pairs = {frozenset(pair) for pair in combinations(heard & set(DELIVERIES), 2)}
        assert not pairs & CONFUSABLE


# --- particular forms -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["voice_by_entity", "voice_latest", "voice_dominant"])
def test_any_option_is_the_answer_equally_often(form: str) -> None:
    """Whatever the other options are."""
    places = Counter(
        plan.question.space.options.index(str(plan.question.gold))
        for plan in candidates(form, "paper", MANY)
    )
    assert set(places) == set(range(4))
    assert max(places.values()) < 1.5 * min(places.values())


@pytest.mark.parametrize("form", ["voice_fact_on_topic", "voice_count_about"])
def test_any_vocal_state_is_a_retrieval_key(form: str) -> None:
    named = Counter(cues(plan)[0] for plan in candidates(form, "paper", MANY))
    assert set(named) == {name for name, of in DELIVERIES.items() if of == "vocal_state"}
    assert max(named.values()) < 2.5 * min(named.values())


@pytest.mark.parametrize("form", [name for name in FORMS if name.startswith("stress_")])
def test_stress_is_there_or_not(form: str) -> None:
    for plan in candidates(form):
        assert set(cues(plan)) <= {"emphatic", None}
        if form == "stress_which":
            stressed = {item.entities[0] for item in plan.sessions if item.cue}
            assert set(plan.question.gold) == stressed  # type: ignore[arg-type]
            assert 1 <= len(stressed) <= 2


@pytest.mark.parametrize("form", ["stress_latest_fact", "stress_fact_sequence"])
def test_what_was_said_without_stress_does_not_count(form: str) -> None:
    """Distractors state the same of the same thing, unstressed."""
    for plan in rivalled(form):
        stressed, plain = (
            {item.facts[0].attribute for item in plan.sessions if bool(item.cue) is cued}
            for cued in (True, False)
        )
        assert stressed & plain


def test_a_date_lies_between_what_is_asked_for_and_what_came_later() -> None:
    answered: Counter[int] = Counter()
    for plan in candidates("voice_as_of", "paper", MANY):
        at = plan.question.query.at  # type: ignore[union-attr]
        before = [item for item in plan.sessions if item.timestamp <= at]  # type: ignore[operator]
        assert 1 <= len(before) < len(plan.sessions)
        assert before[-1].cue is not None
        assert before[-1].cue.value == plan.question.gold
        answered[len(before)] += 1
    assert min(answered.values()) > MANY / 10


def test_a_voice_may_be_heard_again_after_it_first_was() -> None:
    """So the first time differs from the last."""
    again = 0
    for plan in candidates("voice_first_stage", "paper", MANY):
        value = plan.question.query.value  # type: ignore[union-attr]
        stages = [at for at, cue in enumerate(cues(plan), start=1) if cue == value]
        assert plan.question.gold == stages[0]
        again += len(stages) > 1
    assert again > MANY / 10


def test_the_value_before_the_last_change_is_not_always_the_first() -> None:
    firsts = [
        cues(plan)[0] == plan.question.gold for plan in candidates("voice_previous", "paper", MANY)
    ]
    assert 0.1 < sum(firsts) / len(firsts) < 0.9


def test_the_majority_need_not_be_the_only_state_that_is_heard_twice() -> None:
    """Else a state heard twice would mean "yes"."""
    twice: dict[object, set[bool]] = {"yes": set(), "no": set()}
    for plan in candidates("voice_majority", "paper", MANY):
        twice[plan.question.gold].add(max(Counter(cues(plan)).values()) == 2)
    assert twice == {"yes": {True}, "no": {True, False}}
