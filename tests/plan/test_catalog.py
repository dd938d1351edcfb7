"""The content that plans are drawn from."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from voxmem.dialogue.leakage import find_leaks
from voxmem.plan.catalog import catalog
from voxmem.records import Session, Turn

TOPICS = catalog().topics
ATTRIBUTES = catalog().attributes


def test_twenty_topics_in_five_groups() -> None:
    grouped = [topic for topics in catalog().groups.values() for topic in topics]
    assert len(catalog().groups) == 5
    assert len(grouped) == len(TOPICS) == 20
    assert set(grouped) == set(TOPICS)


def test_an_entity_has_one_topic_and_no_other_entity_in_its_name() -> None:
    names = Counter(entity for entities in TOPICS.values() for entity in entities)
    assert set(names.values()) == {1}
    overlapping = [
        (one, two) for one, two in combinations(names, 2) if f"{one} " in f"{two} " or two in one
    ]
    assert overlapping == []


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_every_wording_has_its_two_slots_once(name: str) -> None:
    attribute = ATTRIBUTES[name]
    assert len(attribute.say) >= 4
    for wording in attribute.say:
        assert wording.count("{entity}") == 1
        assert wording.count("{value}") == 1
        assert wording[0].isupper()
        assert wording.endswith(".")
    assert attribute.ask_i.count("{entity}") == attribute.told.count("{entity}") == 1
    assert attribute.ask_i.endswith("?")
    assert attribute.told[0].islower()


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
def test_values_are_many_and_none_is_part_of_another(name: str) -> None:
    domain = ATTRIBUTES[name].domain
    assert len(set(domain)) == len(domain) >= 7
    named = [str(value) for value in domain if isinstance(value, str)]
    assert not [(one, two) for one, two in combinations(named, 2) if one in two or two in one]


def test_numbers_and_words_for_values() -> None:
    kinds = {name: {type(value) for value in each.domain} for name, each in ATTRIBUTES.items()}
    assert sum(kind == {int} for kind in kinds.values()) >= 2
    assert sum(kind == {str} for kind in kinds.values()) >= 4


def test_no_name_or_value_gives_an_acoustic_answer_away() -> None:
    phrases = [
        *(entity for entities in TOPICS.values() for entity in entities),
        *(str(value) for attribute in ATTRIBUTES.values() for value in attribute.domain),
        *(wording for attribute in ATTRIBUTES.values() for wording in attribute.say),
    ]
    turns = tuple(Turn(role="user", text=phrase) for phrase in phrases)
    assert find_leaks(Session(session_id="s", topic="t", turns=turns)) == []
