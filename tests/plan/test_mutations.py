"""What goes wrong in a plan is caught, by the consequence that is named for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plan.builders import planned, refusals, sources
from voxmem.config import DEMO
from voxmem.plan.preview import preview
from voxmem.plan.validate import check, check_question
from voxmem.records import Cue, Plan, PlannedSession
from voxmem.taxonomy import Derivation

Mutation = Callable[[PlannedSession], PlannedSession | None]


def altered(plan: Plan, change: Mutation) -> Plan:
    """The plan with its sessions changed, or left out."""
    sessions = [new for item in plan.sessions if (new := change(item)) is not None]
    return plan.model_copy(update={"sessions": tuple(sessions)})


def caught(plan: Plan) -> set[str]:
    """Which consequences the whole plan violates."""
    found = check_question(plan.question, preview(plan.sessions))
    return {violation.consequence for violation in found}


def evidence(plan: Plan) -> list[PlannedSession]:
    names = plan.question.evidence_session_ids
    return [item for item in plan.sessions if item.session_id in names]


def on(session_id: str, **update: object) -> Mutation:
    return lambda item: item.model_copy(update=update) if item.session_id == session_id else item


def exchanged(plan: Plan, one: PlannedSession, two: PlannedSession) -> Plan:
    times = {one.session_id: two.timestamp, two.session_id: one.timestamp}
    return altered(
        plan,
        lambda item: item.model_copy(
            update={"timestamp": times.get(item.session_id, item.timestamp)}
        ),
    )


def a_distractor(plan: Plan) -> PlannedSession:
    return next(item for item in plan.sessions if item.role == "samekey_haystack")


@pytest.mark.parametrize(
    "form",
    ["what_did_i_say", "voice_attribute_of", "sound_attribute_of", "nth_value", "latest_value"],
)
def test_unspoilt_plans_are_not_caught(form: str) -> None:
    assert caught(planned(form, 0)) == set()


def test_the_gold_fact_in_a_haystack_session() -> None:
    """The asker says the same elsewhere: two sessions answer, which one is meant is open."""
    plan = planned("what_did_i_say", 0)
    (truth,) = evidence(plan)
    leaked = on(a_distractor(plan).session_id, facts=truth.facts, speaker=plan.question.asker)
    assert "gold_recomputed" in caught(altered(plan, leaked))


def test_two_states_in_the_wrong_order() -> None:
    plan = planned("nth_value", 0)
    first, second, _ = evidence(plan)
    assert "gold_recomputed" in caught(exchanged(plan, first, second))
    plan = planned("latest_value", 0)
    _, second, third = evidence(plan)
    assert "gold_recomputed" in caught(exchanged(plan, second, third))


@pytest.mark.parametrize("form", ["total", "voice_same_in", "sound_sequence_of", "same_speaker"])
def test_an_evidence_session_that_is_left_out(form: str) -> None:
    plan = planned(form, 0)
    gone = evidence(plan)[0].session_id
    left = altered(plan, lambda item: None if item.session_id == gone else item)
    assert "gold_recomputed" in caught(left)


def test_evidence_that_is_not_needed() -> None:
    """A session that is called evidence and decides nothing."""
    plan = planned("total", 0)
    extra = a_distractor(plan).session_id
    named = (*plan.question.evidence_session_ids, extra)
    question = plan.question.model_copy(update={"evidence_session_ids": named})
    assert "evidence_necessary" in caught(plan.model_copy(update={"question": question}))


def test_evidence_that_is_not_there() -> None:
    plan = planned("total", 0)
    question = plan.question.model_copy(update={"evidence_session_ids": ("nowhere",)})
    assert caught(plan.model_copy(update={"question": question})) >= {
        "evidence_suffices",
        "cardinality",
    }


@pytest.mark.parametrize(
    ("form", "field"), [("voice_attribute_of", "cue"), ("sound_attribute_of", "sound")]
)
def test_a_distractor_that_matches(form: str, field: str) -> None:
    plan = planned(form, 0)
    (truth,) = evidence(plan)
    matching = on(a_distractor(plan).session_id, entities=truth.entities, facts=truth.facts)
    assert "gold_recomputed" in caught(altered(plan, matching))
    assert getattr(a_distractor(plan), field) != getattr(truth, field)


@pytest.mark.parametrize(("form", "field"), [("voice_fact_by", "cue"), ("sound_fact_by", "sound")])
def test_a_distractor_with_the_cue_that_locates_the_evidence(form: str, field: str) -> None:
    plan = planned(form, 0)
    (truth,) = evidence(plan)
    matching = on(a_distractor(plan).session_id, **{field: getattr(truth, field)})
    assert "gold_recomputed" in caught(altered(plan, matching))


@pytest.mark.parametrize("form", ["voice_fact_by", "sound_fact_by", "what_did_i_say"])
def test_words_alone_must_not_find_it(form: str) -> None:
    plan = planned(form, 0)
    alone = altered(plan, lambda item: item if item.role == "evidence" else None)
    assert caught(alone) >= {"shortcut_fails"}


def test_an_answer_that_words_give_away() -> None:
    """All sessions about the entity are the asker's: no voice is needed to count them."""
    plan = planned("my_sessions", 0)
    alone = altered(plan, lambda item: None if item.role == "samekey_haystack" else item)
    assert "shortcut_fails" in caught(alone)


def test_a_question_of_another_channel() -> None:
    plan = planned("total", 0)
    question = plan.question.model_copy(
        update={"evidence_type": planned("voice_same_in", 0).question.evidence_type}
    )
    assert "own_channel_necessary" in caught(plan.model_copy(update={"question": question}))


def test_another_channel_that_matters() -> None:
    """A question over the voice that is said to be one over what was said."""
    plan = planned("same_speaker", 0)
    question = plan.question.model_copy(
        update={"evidence_type": planned("total", 0).question.evidence_type}
    )
    assert "other_channels_irrelevant" in caught(plan.model_copy(update={"question": question}))


def test_an_order_that_must_not_matter() -> None:
    plan = planned("latest_value", 0)
    question = plan.question.model_copy(
        update={"operation": planned("total", 0).question.operation}
    )
    assert "order" in caught(plan.model_copy(update={"question": question}))


def test_an_order_that_must_matter() -> None:
    plan = planned("total", 0)
    question = plan.question.model_copy(
        update={"operation": planned("latest_value", 0).question.operation}
    )
    assert "order" in caught(plan.model_copy(update={"question": question}))


@pytest.mark.parametrize(
    ("form", "field"), [("voice_dominant_in", "cue"), ("sound_dominant_in", "sound")]
)
def test_a_tie_of_the_dominant(form: str, field: str) -> None:
    plan = planned(form, 0)
    values = [getattr(item, field) for item in evidence(plan)]
    common = max(values, key=values.count)
    first = next(item for item in evidence(plan) if getattr(item, field) == common)
    other = Cue(dimension="vocal_state", value="reflective") if field == "cue" else "helicopter"
    if other in values:
        other = Cue(dimension="vocal_state", value="tense") if field == "cue" else "rain"
    assert "gold_recomputed" in caught(altered(plan, on(first.session_id, **{field: other})))


def variant(rule: Derivation) -> Plan:
    return next(plan for plan in refusals() if plan.question.derivation is rule)


def restored(plan: Plan) -> Plan:
    """A refusal variant in which the changed session is as it was."""
    source = sources()[str(plan.question.source_question_id)]
    return plan.model_copy(update={"sessions": source.sessions})


@pytest.mark.parametrize("rule", list(Derivation))
def test_a_variant_that_still_has_its_answer(rule: Derivation) -> None:
    """With the cue kept, the voice bound, the member there: it is answerable, and caught."""
    plan = variant(rule)
    assert caught(plan) == set()
    assert caught(restored(plan)) == {"refused_for_its_reason"}


def test_a_variant_that_is_refused_for_another_reason() -> None:
    plan = variant(Derivation.CUE_NEUTRALIZATION)
    question = plan.question.model_copy(update={"reason": "ambiguous"})
    assert caught(plan.model_copy(update={"question": question})) == {"refused_for_its_reason"}


def test_the_check_says_at_which_budget() -> None:
    """The second distractor comes in at 8K: until then the plan is sound."""
    plan = planned("voice_fact_by", 0)
    (truth,) = evidence(plan)
    second = sorted(item.session_id for item in plan.sessions if item.role == "samekey_haystack")[1]
    spoilt = altered(plan, on(second, cue=truth.cue))
    details = [violation.detail for violation in check(spoilt, DEMO)]
    assert details
    assert {detail.partition(":")[0] for detail in details} == {"at 8K", "at 16K"}
