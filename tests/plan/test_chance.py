"""What is left to whoever cannot perceive an item's own channel."""

from __future__ import annotations

import pytest

from tests.plan.builders import PAPER, candidates, holding, rivalled, rivals
from voxmem.plan.catalog import catalog
from voxmem.plan.chance import possible_answers
from voxmem.plan.preview import preview
from voxmem.plan.rivals import add_rivals
from voxmem.plan.validate import at_budget, check
from voxmem.records import Plan
from voxmem.semantics import Channel, mask
from voxmem.vocabulary import SOUNDS


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
