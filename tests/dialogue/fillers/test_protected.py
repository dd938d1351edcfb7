"""What counts as stating or implying something protected."""

from __future__ import annotations

import pytest

from tests.dialogue.fillers.builders import evidence
from voxmem.dialogue.fillers import Protected
from voxmem.dialogue.fillers.protected import stems
from voxmem.records import Plan, PlannedSession

PROTECTED = Protected(
    entities=("the lamp replacement", "the short story night", "the Lisbon trip"),
    values=("a bag of zip ties", "bank transfer"),
)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("When is the lamp replacement?", "the lamp replacement"),
        ("I have to replace the old lamps.", "the lamp replacement"),
        ("A replacement for my lamp came.", "the lamp replacement"),
        ("We had a story night once.", "the short story night"),
        ("Our trips to Lisbon were long.", "the Lisbon trip"),
        ("I need zip ties in a bag.", "a bag of zip ties"),
        ("He paid by Bank Transfer.", "bank transfer"),
    ],
)
def test_other_forms_and_orders_are_found(text: str, phrase: str) -> None:
    found = PROTECTED.stated_in(text)
    assert found is not None
    assert found.phrase == phrase


@pytest.mark.parametrize(
    "text",
    [
        "The lamp is on.",
        "Nobody could replace her.",
        "It was a short night.",
        "Lisbon is a lovely place.",
        "I went to the bank on Monday with seven ties.",
        "",
    ],
)
def test_a_part_of_a_name_is_nothing(text: str) -> None:
    assert PROTECTED.stated_in(text) is None


def test_entities_come_before_values() -> None:
    both = PROTECTED.stated_in("A bank transfer paid for the lamp replacement.")
    assert both is not None
    assert (both.reason, both.phrase) == ("entity", "the lamp replacement")


def plan_of(gold: object) -> Plan:
    """A plan as far as protection looks at it."""
    session = evidence()[0]
    fact = next(fact for turn in session.turns for fact in turn.facts)
    facts = (
        fact.model_copy(update={"entity": "the roof inspection", "attribute": "day", "value": 7}),
        fact.model_copy(update={"attribute": "bring", "value": "a ladder", "entity": "the x ray"}),
        fact.model_copy(update={"attribute": "day", "value": "Monday", "entity": "the x ray"}),
    )
    planned = PlannedSession(
        session_id="s", topic="t", speaker="p01", role="evidence", facts=facts,
        entities=("the door painting",),
    )  # fmt: skip
    question = type("Question", (), {"gold": gold})()
    return Plan.model_construct(question=question, cast=("p01",), sessions=(planned,))


def test_entities_open_values_and_phrase_golds_are_collected() -> None:
    protected = Protected.of(
        [plan_of("the garden fence"), plan_of(("yes", "green tea")), plan_of(4)]
    )
    assert protected.entities == ("the door painting", "the roof inspection", "the x ray")
    assert protected.values == ("a ladder", "green tea", "the garden fence")


def test_bare_weekdays_and_numbers_are_not() -> None:
    protected = Protected.of([plan_of("Monday"), plan_of(7), plan_of(None)])
    assert protected.stated_in("We met on Monday at seven with 7 others.") is None


def test_stems() -> None:
    assert stems("Swimming, swims and swim") == stems("the swim")
    assert stems("bake") == stems("baking") == stems("bakes")
    assert stems("stories") == stems("story")
    assert not stems("and of the")
