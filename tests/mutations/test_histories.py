"""Faults of assembled histories, and the row of the family gate that fails for them (VoxMem, B.5,
B.6 and §3.3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from tests.mutations.benchmark import Benchmark, asking, evidence, is_asked
from tests.mutations.item import Item, each_turn, failed, histories_of, stating
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.records import Cue, Plan


def whole(built: Benchmark) -> Plan:
    """A sum over what its one user said, with sessions of every role in its shortest history."""
    roles = {"evidence", "samekey_haystack", "topical_haystack", "filler"}

    def fits(plan: Plan) -> bool:
        shortest = built.assembly.histories[plan.question.question_id][0]
        return (
            is_asked(plan, q.Sum, q.Difference, q.Merge)
            and len(plan.cast) == 1
            and {place.role for place in shortest.placements} == roles
        )

    return built.find(fits)


HISTORIES: Mutations[Item] = Mutations()
breaks = HISTORIES.caught_by
ITEM = histories_of(whole)
SPOKEN = histories_of(
    lambda built: built.find(lambda plan: plan.question.form == "voice_by_entity")
)
MINUTE = timedelta(minutes=1)


# --- which sessions ---------------------------------------------------------------------------


@breaks("roles", ITEM)
def a_session_twice(item: Item) -> Item:
    filler = item.place("filler")
    return item.adding(filler.model_copy(update={"timestamp": filler.timestamp + MINUTE}))


@breaks("roles", ITEM)
def the_same_content_under_another_id(item: Item) -> Item:
    filler = item.place("filler")
    again = item.session("filler").model_copy(update={"session_id": "f_another_id"})
    later = {"session_id": again.session_id, "timestamp": filler.timestamp + MINUTE}
    return item.knowing(again).adding(filler.model_copy(update=later))


@breaks("roles", ITEM)
def a_borrowed_session_once_more_as_a_filler(item: Item) -> Item:
    borrowed = item.place("topical_haystack")
    again = item.session("topical_haystack").model_copy(update={"session_id": "f_another_id"})
    later = {"session_id": again.session_id, "timestamp": borrowed.timestamp + MINUTE}
    return item.knowing(again).adding(borrowed.model_copy(update={**later, "role": "filler"}))


@breaks("roles", ITEM)
def an_evidence_session_is_dropped(item: Item) -> Item:
    return item.without(item.place("evidence"))


@breaks("roles", ITEM)
def evidence_that_is_called_a_filler(item: Item) -> Item:
    return item.exchanging(item.place("evidence"), role="filler")


@breaks("roles", ITEM)
def a_filler_that_is_called_borrowed(item: Item) -> Item:
    return item.exchanging(item.place("filler", -1), -1, role="topical_haystack")


@breaks("roles", ITEM)
def a_voice_that_is_not_of_the_cast(item: Item) -> Item:
    stranger = next(
        session.session_id
        for session in item.assembly.sessions.values()
        if session.session_id.startswith("f_")
        and session.user_turns[0].speaker not in item.plan.cast
    )
    return item.exchanging(item.place("filler"), session_id=stranger)


@breaks("roles", ITEM)
def a_distractor_of_another_question(item: Item) -> Item:
    other = next(
        session.session_id
        for plan in item.assembly.plans
        for session in plan.sessions
        if session.role == "samekey_haystack" and plan.cast == item.plan.cast
        if plan.question.family_id != item.plan.question.family_id
    )
    return item.exchanging(item.place("samekey_haystack"), session_id=other)


# --- what is borrowed -------------------------------------------------------------------------


def borrowable(item: Item, fits: Callable[[Plan], bool]) -> str:
    """An evidence session of some other question."""
    return next(
        name
        for name, owner in item.assembly.owners.items()
        if owner.question.family_id != item.plan.question.family_id and fits(owner)
    )


@breaks("roles", ITEM)
def a_borrowed_session_of_another_evidence_type(item: Item) -> Item:
    kind = item.plan.question.evidence_type
    other = borrowable(
        item, lambda plan: plan.cast == item.plan.cast and plan.question.evidence_type != kind
    )
    return item.exchanging(item.place("topical_haystack"), session_id=other)


@breaks("roles", ITEM)
def a_borrowed_session_of_another_cast(item: Item) -> Item:
    kind = item.plan.question.evidence_type
    other = borrowable(
        item, lambda plan: plan.cast != item.plan.cast and plan.question.evidence_type == kind
    )
    return item.exchanging(item.place("topical_haystack"), session_id=other)


# --- what is said and heard -------------------------------------------------------------------


@breaks("roles", ITEM, label="a_filler_that_states_a_fact")
@breaks("gold_recomputed", ITEM, label="a_filler_that_states_the_evidence_otherwise")
def a_fact_in_a_filler(item: Item) -> Item:
    """What the evidence says of a thing, with another value."""
    (fact,) = evidence(item.plan)[0].facts
    other = fact.value + 1 if isinstance(fact.value, int) else "another one"
    said = stating(item.session("filler"), fact.model_copy(update={"value": other}))
    return item.knowing(said)


@breaks("gold_recomputed", SPOKEN)
def the_cue_is_missing_in_the_evidence(item: Item) -> Item:
    return item.knowing(each_turn(item.session("evidence"), lambda turn: {"cues": ()}))


@breaks("gold_recomputed", SPOKEN)
def a_second_cue_in_the_evidence(item: Item) -> Item:
    (cue,) = (cue for turn in item.session("evidence").turns for cue in turn.cues)
    other = Cue(dimension="vocal_state", value="tense" if cue.value != "tense" else "whispered")
    spoken = each_turn(item.session("evidence"), lambda turn: {"cues": (*turn.cues, other)})
    return item.knowing(spoken)


@breaks("gold_recomputed", histories_of(asking(q.IsAsker)))
def another_voice_in_the_evidence(item: Item) -> Item:
    asker = item.plan.question.asker
    (other, *_) = (persona for persona in item.plan.cast if persona != asker)
    first = item.assembly.sessions[item.plan.question.evidence_session_ids[0]]
    speaker = other if first.user_turns[0].speaker == asker else asker
    return item.knowing(each_turn(first, lambda turn: {"speaker": speaker}))


@breaks("chance_level", SPOKEN)
def one_answer_is_permitted(item: Item) -> Item:
    space = item.plan.question.space
    return item.asking(space=space.model_copy(update={"options": (item.plan.question.gold,)}))


# --- when -------------------------------------------------------------------------------------


@breaks("timestamps", ITEM)
def two_sessions_at_one_minute(item: Item) -> Item:
    rival = item.place("samekey_haystack")
    return item.exchanging(item.place("filler"), timestamp=rival.timestamp)


@breaks("timestamps", ITEM)
def a_session_before_the_window(item: Item) -> Item:
    filler = item.place("filler")
    return item.exchanging(filler, timestamp=filler.timestamp - timedelta(days=400))


@breaks("timestamps", ITEM)
def a_session_after_the_query(item: Item) -> Item:
    return item.exchanging(
        item.place("filler"), timestamp=item.plan.question.query_timestamp + MINUTE
    )


@breaks("timestamps", ITEM)
def evidence_after_the_query(item: Item) -> Item:
    """The question is asked when its evidence is half told."""
    last = item.place("evidence").timestamp
    return item.asking(query_timestamp=last - MINUTE)


@breaks("timestamps", ITEM)
def evidence_at_another_time_than_planned(item: Item) -> Item:
    base = item.place("evidence")
    return item.exchanging(base, timestamp=base.timestamp + MINUTE)


@breaks("timestamps", ITEM)
def sessions_out_of_order(item: Item) -> Item:
    history = item.history()
    backwards = {"placements": history.placements[::-1]}
    return item.with_history(history.model_copy(update=backwards))


# --- how much ---------------------------------------------------------------------------------


@breaks("nested", ITEM)
def a_longer_history_lacks_a_session(item: Item) -> Item:
    return item.without(item.place("filler"), 1)


@breaks("nested", ITEM)
def a_longer_history_has_it_at_another_time(item: Item) -> Item:
    filler = item.place("filler")
    return item.exchanging(filler, 1, timestamp=filler.timestamp + MINUTE)


@breaks("nested", ITEM)
def a_longer_history_holds_no_more(item: Item) -> Item:
    return item.holding(*item.history(0).placements, at=1)


@breaks("samekey_schedule", ITEM)
def a_distractor_too_few(item: Item) -> Item:
    return item.without(item.place("samekey_haystack"))


@breaks("samekey_schedule", ITEM)
def a_distractor_too_many(item: Item) -> Item:
    more = set(item.history(1).placements) - set(item.history(0).placements)
    return item.adding(next(place for place in more if place.role == "samekey_haystack"))


@breaks("reused_schedule", ITEM)
def a_borrowed_session_too_few(item: Item) -> Item:
    return item.without(item.place("topical_haystack"))


@breaks("reused_schedule", ITEM)
def a_borrowed_session_too_many(item: Item) -> Item:
    more = set(item.history(1).placements) - set(item.history(0).placements)
    return item.adding(next(place for place in more if place.role == "topical_haystack"))


@breaks("length_within_tolerance", ITEM)
def a_history_over_its_budget(item: Item) -> Item:
    return item.holding(*item.history(1).placements, at=0)


@breaks("length_within_tolerance", ITEM)
def a_short_history_without_a_note(item: Item) -> Item:
    kept = (place for place in item.history().placements if place.role != "filler")
    return item.holding(*kept)


@breaks("length_within_tolerance", ITEM)
def a_length_that_is_not_that_of_its_sessions(item: Item) -> Item:
    history = item.history()
    more = history.length.model_copy(update={"text_tokens": history.length.text_tokens + 1})
    return item.with_history(history.model_copy(update={"length": more}))


# --- the gate ---------------------------------------------------------------------------------


@HISTORIES.each()
def test_the_family_gate_names_the_fault(built: Benchmark, mutation: Mutation[Item]) -> None:
    item = mutation.base(built)
    assert failed(item) == set()
    assert mutation.caught_by in failed(mutation.change(item))
