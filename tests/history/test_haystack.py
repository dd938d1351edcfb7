"""Borrowed haystack: matched, capped, harmless and fairly shared."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.history.builders import (
    CONFIG,
    REFUSABLE,
    World,
    heard,
    make_world,
    mine,
    removed,
    told,
    voiced,
    world,
)
from voxmem.history.eligibility import route_of, words_of
from voxmem.history.haystack import borrow
from voxmem.history.trial import Trial
from voxmem.plan.draft import when_of
from voxmem.plan.preview import preview
from voxmem.plan.validate import at_budget, check_question
from voxmem.records import Plan, PlannedSession


def sources(of: World) -> dict[str, Plan]:
    return {
        plan.question.question_id: plan
        for plan in of.plans
        if plan.question.source_question_id is None
    }


def borrowed() -> dict[str, tuple[PlannedSession, ...]]:
    return dict(world().allocated.borrowed.sessions)


def test_every_session_is_evidence_of_another_question_of_its_kind_and_voices() -> None:
    plans = sources(world())
    owner = {name: plan for plan in plans.values() for name in plan.question.evidence_session_ids}
    for name, taken in borrowed().items():
        for item in taken:
            other = owner[item.session_id]
            assert other.question.question_id != name
            assert other.question.evidence_type is plans[name].question.evidence_type
            assert other.cast == plans[name].cast
            assert item.role == "topical_haystack"


def test_a_session_has_a_new_day_of_its_own_in_the_borrowing_history() -> None:
    plans = sources(world())
    planned = {item.session_id: item for plan in plans.values() for item in plan.sessions}
    moved = 0
    for name, taken in borrowed().items():
        days = [when_of(item).date() for item in (*taken, *plans[name].sessions)]
        assert len(set(days)) == len(days)
        moved += sum(when_of(item) != when_of(planned[item.session_id]) for item in taken)
    assert moved > 0.9 * sum(map(len, borrowed().values()))


def test_the_number_grows_with_the_evidence() -> None:
    for name, plan in sources(world()).items():
        wanted = CONFIG.budgets[-1].reused_for(len(plan.question.evidence_session_ids))
        lacking = [
            item for item in world().allocated.borrowed.shortages if item.question_id == name
        ]
        assert len(borrowed()[name]) == (lacking[0].found if lacking else wanted)


def test_no_words_are_borrowed_more_often_in_one_route_than_the_cap() -> None:
    uses = Counter(
        (route_of(plan.question), words_of(item))
        for name, plan in sources(world()).items()
        for item in borrowed()[name]
    )
    assert max(uses.values()) <= CONFIG.haystack_uses


def test_all_consequences_hold_with_what_is_borrowed() -> None:
    for plan in world().plans:
        taken = borrowed()[plan.question.source_question_id or plan.question.question_id]
        for budget in CONFIG.budgets:
            required = [item for item in plan.sessions if item.role in ("evidence", "replacement")]
            reused = budget.reused_for(len(required))
            held = (*at_budget(plan, budget), *taken[:reused])
            assert check_question(plan.question, preview(held)) == []


def test_a_rendition_of_words_that_are_there_is_not_borrowed() -> None:
    """Two questions' evidence may repeat the words of one session: a history hears them once."""
    plans = [told(0), told(4), told(8)]
    for at, plan in enumerate(plans[1:], start=1):
        sessions = [item.model_copy(update={"words_of": "common"}) for item in plan.sessions]
        plans[at] = plan.model_copy(update={"sessions": tuple(sessions)})
    found = borrow(CONFIG, plans)
    assert [words_of(item) for item in found.sessions["q_told000"]] == ["common"]
    assert found.shortages[0].found < found.shortages[0].wanted


def test_renditions_share_one_count() -> None:
    config = CONFIG.model_copy(update={"haystack_uses": 1})
    plans = [told(number) for number in (0, 4, 8, 12)]
    for at, plan in enumerate(plans):
        sessions = [item.model_copy(update={"words_of": "common"}) for item in plan.sessions]
        plans[at] = plan.model_copy(update={"sessions": tuple(sessions)}) if at == 3 else plan
    found = borrow(config, plans)
    uses = Counter(words_of(item) for taken in found.sessions.values() for item in taken)
    assert max(uses.values()) == 1
    assert found.rejected["over_the_cap"] > 0


def test_a_shortage_is_counted_and_shared() -> None:
    few = [told(number) for number in (0, 4, 8)]
    found = borrow(CONFIG.model_copy(update={"haystack_uses": 1}), few)
    assert {item.question_id for item in found.shortages} == set(found.sessions)
    assert [item.wanted for item in found.shortages] == [3, 3, 3]
    assert sum(map(len, found.sessions.values())) == 6
    assert max(map(len, found.sessions.values())) == 2


def test_pairs_that_break_a_rule_are_counted_by_it() -> None:
    found = borrow(CONFIG, [told(0), told(4), voiced(0), mine(0)]).rejected
    assert found["same_family"] == 2 + 2 + 1 + 1
    assert found["other_evidence_type"] == 2 * 2 + 2 * 5 - 2 + 2
    assert "other_voices" not in found
    assert borrow(CONFIG, [told(0), told(1)]).rejected["other_voices"] == 4


def test_alone_a_question_borrows_nothing_and_says_so() -> None:
    found = borrow(CONFIG, [told(0)])
    assert found.sessions == {"q_told000": ()}
    assert [(item.wanted, item.found) for item in found.shortages] == [(3, 0)]


def test_what_would_change_an_answer_is_not_borrowed() -> None:
    """The last look is the definition's: a session with the sound that is counted."""
    plan, other = heard(0), heard(4)
    (mine_, *_), (base, *_) = (
        [item for item in each.sessions if item.role == "evidence"] for each in (plan, other)
    )
    wrong = base.model_copy(update={"topic": mine_.topic, "sound": mine_.sound})
    assert Trial(CONFIG, [plan]).fault([wrong]) == "gold_recomputed"
    harmless = wrong.model_copy(update={"sound": "keyboard typing"})
    assert Trial(CONFIG, [plan]).fault([harmless]) is None


def test_refusal_variants_are_tried_as_well() -> None:
    """A session that gives a refused question its reason back, or an answer."""
    plan = mine(0)
    variant = removed(plan)
    gone = next(item for item in plan.sessions if item.role == "evidence")
    again = gone.model_copy(update={"session_id": "again", "role": "topical_haystack"})
    assert Trial(CONFIG, [variant]).fault([again]) == "refused_for_its_reason"


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_borrowed_follows_from_the_plans(order: int) -> None:
    """Not from their order: questions take turns by seeded lot."""
    plans = [kind(number) for kind in REFUSABLE for number in range(4)]
    assert borrow(CONFIG, plans[::order]).sessions == borrow(CONFIG, plans).sessions


def test_another_seed_borrows_otherwise() -> None:
    other = make_world(6, CONFIG.model_copy(update={"seed": 2}), variants=0)
    again = make_world(6, variants=0)
    assert borrow(other.config, other.plans).sessions != borrow(again.config, again.plans).sessions
