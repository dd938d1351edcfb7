"""The content that plans are drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.lexicon import tokens
from voxmem.plan.catalog import Attribute, catalog
from voxmem.records import Fact, Session, Turn, Value

TOPICS = catalog().topics
ATTRIBUTES = catalog().attributes
ENTITIES = [entity for entities in TOPICS.values() for entity in entities]
DAY = "the third of June"
WORDED = {name: each for name, each in ATTRIBUTES.items() if each.kind != "number"}


def statements(attribute: Attribute) -> tuple[str, ...]:
    """Every wording of something that is said."""
    return (*attribute.say, *attribute.say_from, *attribute.correct, *attribute.cancel)


def holds(text: str, phrase: str) -> bool:
    """Whether a phrase occurs in a text as whole words."""
    return f" {' '.join(tokens(phrase))} " in f" {' '.join(tokens(text))} "


# --- topics and entities ----------------------------------------------------------------------


def test_twenty_topics_in_five_groups() -> None:
    grouped = [topic for topics in catalog().groups.values() for topic in topics]
    assert len(catalog().groups) == 5
    assert len(grouped) == len(TOPICS) == 20
    assert set(grouped) == set(TOPICS)


def test_there_are_more_than_fifty_thousand_facts() -> None:
    every = {
        (entity, name, value)
        for entity in ENTITIES
        for name, attribute in ATTRIBUTES.items()
        for value in attribute.domain
    }
    assert catalog().facts == len(every) >= 50_000


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_a_topic_has_many_entities_each_one_thing(topic: str) -> None:
    assert len(TOPICS[topic]) >= 20
    for entity in TOPICS[topic]:
        assert entity.startswith("the ")
        assert entity[4:].strip() == entity[4:] != ""


def test_an_entity_has_one_topic_and_no_other_entity_in_its_name() -> None:
    assert set(Counter(ENTITIES).values()) == {1}
    bare = [entity.removeprefix("the ") for entity in ENTITIES]
    assert not [(one, two) for one, two in combinations(bare, 2) if one in two or two in one]


# --- attributes and values --------------------------------------------------------------------


def test_attributes_of_every_kind() -> None:
    kinds = Counter(attribute.kind for attribute in ATTRIBUTES.values())
    assert len(ATTRIBUTES) >= 14
    assert kinds["number"] >= 4
    assert kinds["open"] >= 2
    assert kinds["words"] >= 6
    assert sum(len(attribute.domain) for attribute in ATTRIBUTES.values()) >= 130


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_values_are_many_and_none_is_part_of_another(name: str) -> None:
    attribute = ATTRIBUTES[name]
    domain = attribute.domain
    least, most = {"words": (7, 12), "number": (8, 40), "open": (20, 60)}[attribute.kind]
    assert least <= len(set(domain)) == len(domain) <= most
    named = [str(value) for value in domain if isinstance(value, str)]
    assert not [(one, two) for one, two in combinations(named, 2) if one in two or two in one]


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_values_are_numbers_or_words_as_the_kind_says(name: str) -> None:
    attribute = ATTRIBUTES[name]
    wanted = int if attribute.kind == "number" else str
    assert {type(value) for value in attribute.domain} == {wanted}
    assert attribute.open == (attribute.kind == "open")
    assert not [value for value in attribute.values if any(map(str.isdigit, value))]
    assert all(value > 1 for value in attribute.domain if isinstance(value, int)), "plural units"


def test_no_value_occurs_in_a_value_of_another_attribute() -> None:
    worded = [value for attribute in WORDED.values() for value in attribute.values]
    assert len(set(worded)) == len(worded)
    assert not [
        (one, two) for one in worded for two in worded if one is not two and holds(two, one)
    ]


def test_no_value_occurs_in_a_name() -> None:
    names = [
        *ENTITIES,
        *(each for attribute in ATTRIBUTES.values() for each in (attribute.noun, attribute.plural)),
    ]
    for attribute in WORDED.values():
        for value in attribute.values:
            assert not [name for name in names if holds(name, value)], value


def test_values_of_numbers_have_a_unit_in_every_wording() -> None:
    for attribute in ATTRIBUTES.values():
        if attribute.kind == "number":
            unit = attribute.say[0].split("{value} ")[1].split()[0].rstrip(".")
            for wording in (*attribute.say, *attribute.say_from, *attribute.correct):
                assert unit in wording or "{value} " in wording


# --- wordings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_every_wording_has_its_slots_once(name: str) -> None:
    attribute = ATTRIBUTES[name]
    assert len(attribute.say) >= 5
    assert min(len(attribute.say_from), len(attribute.correct), len(attribute.cancel)) >= 3
    slots = {
        attribute.say: {"entity", "value"},
        attribute.say_from: {"entity", "value", "date"},
        attribute.correct: {"value"},
        attribute.cancel: {"entity"},
        (attribute.ask_i, attribute.told): {"entity"},
        (attribute.noun, attribute.plural): set(),
    }
    for wordings, wanted in slots.items():
        assert len(set(wordings)) == len(wordings)
        for wording in wordings:
            for slot in ("entity", "value", "date"):
                assert wording.count(f"{{{slot}}}") == (slot in wanted), wording


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_wordings_are_whole_sentences(name: str) -> None:
    attribute = ATTRIBUTES[name]
    for wording in statements(attribute):
        assert wording[0].isupper()
        assert wording.endswith(".")
        assert not wording.startswith("{entity}"), "a sentence begins with a capital"
    assert attribute.ask_i.endswith("?")
    assert attribute.told[0].islower()


def test_no_wording_holds_a_value() -> None:
    fixed = [
        wording
        for attribute in ATTRIBUTES.values()
        for wording in (*statements(attribute), attribute.ask_i, attribute.told)
    ]
    for attribute in WORDED.values():
        for value in attribute.values:
            assert not [wording for wording in fixed if holds(wording, value)], value


def test_a_cancellation_says_so() -> None:
    for attribute in ATTRIBUTES.values():
        assert all("cancelled" in wording for wording in attribute.cancel)


# --- nothing gives anything away --------------------------------------------------------------


def spoken(name: str, wording: str, entity: str, value: Value) -> Turn:
    """A wording as it is said, with its fact in place."""
    text = wording.replace("{entity}", entity).replace("{date}", DAY)
    before, slot, after = text.partition("{value}")
    span = (len(before), len(before) + len(str(value))) if slot else None
    fact = Fact(entity=entity, referent=entity, attribute=name, value=value, span=span)
    if "{date}" in wording:
        fact = fact.model_copy(update={"effective": "2025-06-03T00:00:00"})
    return Turn(role="user", text=f"{before}{value if slot else ''}{after}", facts=(fact,))


def leaks(turns: list[Turn]) -> list[tuple[str, str, str]]:
    session = Session(session_id="s", topic="t", entities=("the plan",), turns=tuple(turns))
    return [(leak.channel, leak.found, turns[leak.turn].text) for leak in find_leaks(session)]


def wordings() -> Iterator[tuple[str, Attribute, str]]:
    for name, attribute in ATTRIBUTES.items():
        for wording in statements(attribute):
            yield name, attribute, wording


def test_no_value_in_any_wording_gives_anything_away() -> None:
    turns = [
        spoken(name, wording, ENTITIES[0], value)
        for name, attribute, wording in wordings()
        for value in attribute.domain
    ]
    assert leaks(turns) == []


def test_no_entity_in_some_wordings_gives_anything_away() -> None:
    """Every entity and every wording, though not all of their pairs."""
    turns = [
        spoken(name, wording, entity, attribute.domain[0])
        for at, (name, attribute, wording) in enumerate(wordings())
        for entity in ENTITIES[at % 17 :: 17]
    ]
    assert leaks(turns) == []


@pytest.mark.slow
def test_no_entity_in_any_wording_gives_anything_away() -> None:
    for name, attribute, wording in wordings():
        turns = [spoken(name, wording, entity, attribute.domain[0]) for entity in ENTITIES]
        assert leaks(turns) == []


def test_no_question_gives_anything_away() -> None:
    turns = [
        Turn(role="user", text=wording.replace("{entity}", entity))
        for attribute in ATTRIBUTES.values()
        for wording in (attribute.ask_i, attribute.told)
        for entity in ENTITIES[::16]
    ]
    assert leaks(turns) == []
