"""Faults of answer-refusal variants: what must be gone is not, or more is gone than one session
(VoxMem, B.4 and Table 10)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.mutations.benchmark import (
    CONFIG,
    Benchmark,
    evidence,
    is_asked,
    variant,
    with_question,
    without,
)
from tests.mutations.item import Item, failed, histories_of
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.plan.validate import check
from voxmem.query import Query
from voxmem.records import Plan, Session
from voxmem.taxonomy import Derivation, Operation

PLANS: Mutations[Plan] = Mutations()
HISTORIES: Mutations[Item] = Mutations()
NEUTRAL = histories_of(variant(Derivation.CUE_NEUTRALIZATION))
REMOVED = histories_of(variant(Derivation.PARTIAL_REMOVAL))
UNSEEN = "the gate compares which sessions are placed, not what the changed one says"
MINUTE = timedelta(minutes=1)


def caught(plan: Plan) -> set[str]:
    return {fault.consequence for fault in check(plan, CONFIG)}


# --- plans ------------------------------------------------------------------------------------


@PLANS.caught_by("refused_for_its_reason", variant(Derivation.CUE_NEUTRALIZATION))
def refused_for_another_reason(plan: Plan) -> Plan:
    return with_question(plan, reason="ambiguous")


def closed_count(plan: Plan) -> bool:
    return (
        plan.question.derivation is Derivation.PARTIAL_REMOVAL
        and declared(plan.question.query) is not None
    )


def declared(query: Query) -> q.Declared | None:
    select = getattr(getattr(query, "of", None), "select", None)
    return select if isinstance(select, q.Declared) else None


@PLANS.caught_by("refused_for_its_reason", lambda built: built.find(closed_count))
def a_count_is_open_under_partial_removal(plan: Plan) -> Plan:
    """Whoever does not say how many there are is answered by those that are left."""
    asked = plan.question.query
    select = declared(asked)
    assert select is not None
    reading = asked.of.model_copy(update={"select": q.Open(where=select.where)})  # type: ignore[union-attr]
    return with_question(plan, query=asked.model_copy(update={"of": reading}))


@PLANS.each()
def test_the_plan_is_not_refused_for_its_reason(built: Benchmark, mutation: Mutation[Plan]) -> None:
    plan = mutation.base(built)
    assert caught(plan) == set()
    assert mutation.caught_by in caught(mutation.change(plan))


def test_a_count_that_is_open_has_no_partial_removal(built: Benchmark) -> None:
    """What is left of it is counted: the answer is smaller, and an answer."""
    plan = built.find(lambda plan: is_asked(plan, q.Count) and len(evidence(plan)) > 1)
    smaller = without(plan, evidence(plan)[0])
    claimed = with_question(
        smaller,
        gold=None,
        operation=Operation.ANSWER_REFUSAL,
        expected_response="insufficient_evidence",
        derivation=Derivation.PARTIAL_REMOVAL,
        reason="missing_member",
        evidence_session_ids=plan.question.evidence_session_ids[1:],
    )
    assert caught(claimed) == {"refused_for_its_reason"}


KEPT = {
    Derivation.COMPLETE_REMOVAL: "the_removed_session_stays",
    Derivation.PARTIAL_REMOVAL: "the_removed_member_stays",
    Derivation.CUE_NEUTRALIZATION: "the_cue_stays",
    Derivation.BINDING_REMOVAL: "the_voice_stays",
    Derivation.AMBIGUITY: "the_second_candidate_is_none",
}


@pytest.mark.parametrize("rule", KEPT, ids=lambda rule: f"{KEPT[rule]}-refused_for_its_reason")
def test_a_variant_that_is_its_source_is_answered(built: Benchmark, rule: Derivation) -> None:
    plan = variant(rule)(built)
    assert caught(plan) == set()
    source = built.source(plan)
    restored = with_question(plan, evidence_session_ids=source.question.evidence_session_ids)
    restored = restored.model_copy(update={"sessions": source.sessions})
    assert caught(restored) == {"refused_for_its_reason"}


# --- histories --------------------------------------------------------------------------------


@HISTORIES.caught_by("roles", REMOVED)
@HISTORIES.caught_by("refused_for_its_reason", REMOVED)
def the_removed_session_is_borrowed(item: Item) -> Item:
    source = item.assembly.plan_of[str(item.plan.question.source_question_id)]
    left = item.plan.question.evidence_session_ids
    (gone,) = (name for name in source.question.evidence_session_ids if name not in left)
    borrowed = item.place("topical_haystack", -1)
    return item.exchanging(borrowed, -1, session_id=gone)


def changed_session(item: Item) -> tuple[Session, Session]:
    """What a variant changed: its source's session, and its own."""
    source = item.assembly.plan_of[str(item.plan.question.source_question_id)]
    ((old, new),) = (
        (one.session_id, two.session_id)
        for one, two in zip(source.sessions, item.plan.sessions, strict=True)
        if one != two
    )
    return item.assembly.sessions[old], item.assembly.sessions[new]


@HISTORIES.caught_by("refused_for_its_reason", NEUTRAL)
def the_cue_is_kept(item: Item) -> Item:
    """The clip with the cue under the id of the neutral one."""
    old, new = changed_session(item)
    return item.knowing(old.model_copy(update={"session_id": new.session_id}))


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL, label="another_filler_in_the_variant")
def another_filler(item: Item) -> Item:
    held = {place.session_id for place in item.history(-1).placements}
    other = next(
        session.session_id
        for session in item.assembly.sessions.values()
        if session.session_id.startswith("f_")
        and session.session_id not in held
        and session.user_turns[0].speaker in item.plan.cast
    )
    return item.exchanging(item.place("filler"), session_id=other)


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL)
def two_sessions_are_changed(item: Item) -> Item:
    filler = item.place("filler", -1)
    return item.exchanging(filler, -1, timestamp=filler.timestamp + MINUTE)


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL)
def nothing_is_changed(item: Item) -> Item:
    source = item.assembly.histories[str(item.plan.question.source_question_id)]
    histories = {**item.assembly.histories, item.name: source}
    return replace(item, assembly=replace(item.assembly, histories=histories))


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL)
def a_session_less(item: Item) -> Item:
    return item.without(item.place("filler"))


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL)
def the_variant_is_worded_otherwise(item: Item) -> Item:
    return item.asking(text=f"By the way, {item.plan.question.text}")


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL)
def the_variant_is_asked_later(item: Item) -> Item:
    later = item.plan.question.query_timestamp + timedelta(days=1)
    return item.asking(query_timestamp=later)


@HISTORIES.caught_by(
    "refusal_kept_everything_else", histories_of(variant(Derivation.BINDING_REMOVAL))
)
def the_variant_is_asked_by_somebody_else(item: Item) -> Item:
    (other, *_) = (who for who in item.plan.cast if who != item.plan.question.asker)
    return item.asking(asker=other)


@HISTORIES.caught_by("refusal_kept_everything_else", NEUTRAL, uncaught=UNSEEN)
def the_neutral_session_has_other_words(item: Item) -> Item:
    """Whoever reads the two renditions tells them apart."""
    _, new = changed_session(item)
    first, *rest = new.turns
    longer = first.model_copy(update={"text": f"{first.text} That is it."})
    return item.knowing(new.model_copy(update={"turns": (longer, *rest)}))


@HISTORIES.caught_by("refusal_kept_everything_else", REMOVED, uncaught=UNSEEN)
def the_replacement_is_of_another_topic(item: Item) -> Item:
    old, new = changed_session(item)
    topics = (each.topic for plan in item.assembly.plans for each in plan.sessions)
    other = next(topic for topic in topics if topic != old.topic)
    return item.knowing(new.model_copy(update={"topic": other}))


@HISTORIES.caught_by("refusal_kept_everything_else", REMOVED, uncaught=UNSEEN)
def the_replacement_has_a_turn_more(item: Item) -> Item:
    _, new = changed_session(item)
    return item.knowing(new.model_copy(update={"turns": (*new.turns, *new.turns[:2])}))


@HISTORIES.each()
def test_the_family_gate_names_the_fault(built: Benchmark, mutation: Mutation[Item]) -> None:
    item = mutation.base(built)
    assert failed(item) == set()
    assert mutation.caught_by in failed(mutation.change(item))
