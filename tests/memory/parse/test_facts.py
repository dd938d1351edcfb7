"""Facts: beside their thing, taken back, called off, from a day on."""

from __future__ import annotations

from datetime import datetime

import pytest

from voxmem.memory.parse import HeardFact, understand
from voxmem.semantics.view import CANCELLED, Unknown

WHEN = datetime(2026, 3, 10, 9, 30)
BREAD = "the bread baking"


def facts(*turns):
    return [fact for turn in understand(turns, WHEN).facts for fact in turn]


def test_a_thing_that_was_named_before_is_meant_by_what_follows():
    said = facts("I am busy with the bread baking.", "I see.", "The price is 40 euros.")
    assert said == [HeardFact(BREAD, "cost", 40)]


def test_a_correction_keeps_thing_and_day():
    first, second = facts(
        "From the third of April on, the bread baking costs 40 euros. No, make that 45."
    )[:2]
    assert first == HeardFact(BREAD, "cost", 40, datetime(2026, 4, 3))
    assert second == HeardFact(BREAD, "cost", 45, datetime(2026, 4, 3))


def test_calling_a_fact_off_is_not_calling_the_thing_off():
    assert facts("The price of the bread baking is cancelled.") == [
        HeardFact(BREAD, "cost", CANCELLED)
    ]
    assert facts("The price for the bread baking is called off.") == [
        HeardFact(BREAD, "cost", CANCELLED)
    ]
    for text in (
        "The bread baking is called off.",
        "The status of the bread baking is called off.",
    ):
        assert facts(text) == [HeardFact(BREAD, "status", "called off")]
    assert facts("Before I forget, the price of the bread baking matters.") == []


def test_a_number_that_an_attribute_never_is_was_misheard():
    assert facts("The bread baking costs 165 euros.") == [
        HeardFact(BREAD, "cost", Unknown("number", "cost"))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Should I take the red folder for the bread baking?",
        "The bread baking is not on a Tuesday.",
        "I do not have much experience with things like the bread baking.",
    ],
)
def test_nothing_is_stated_by_questions_denials_and_chance(text):
    assert facts(text) == []


def test_two_things_keep_their_facts_apart():
    said = facts("The bread baking is on a Tuesday. The choir rehearsal is on a Friday.")
    assert said == [
        HeardFact(BREAD, "day", "Tuesday"),
        HeardFact("the choir rehearsal", "day", "Friday"),
    ]


def test_what_is_spoken_of_again_and_again_is_known_though_it_is_never_heard_well():
    understood = understand(["the breath making", "a bread bacon", "the bed baking"], WHEN)
    assert understood.entities == {BREAD}
    assert understood.topic == "cooking"


def test_small_talk_is_about_nothing():
    understood = understand(["Nice weather today.", "I had a long chat with a friend."], WHEN)
    assert (understood.topic, understood.entities) == ("", frozenset())
