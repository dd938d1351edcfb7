"""Channels of sound, and the patterns that several of them share."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plan.forms.drafts import draft
from voxmem.plan.forms.channels import Channel, told_apart
from voxmem.plan.forms.channels.background import (
    EVENTS,
    KIND,
    LISTED_SOUND,
    SCENE,
    SOUND,
)
from voxmem.plan.forms.channels.delivery import LAUGH, RATE, STRESS, VOICE
from voxmem.plan.forms.channels.stages import course
from voxmem.plan.near import ALSO, delivery_may_be, sound_may_be
from voxmem.query import Delivered, Heard
from voxmem.vocabulary import ANYWHERE, CONFUSABLE, DELIVERIES, SOUNDS

CHANNELS = [VOICE, RATE, STRESS, LAUGH, SOUND, LISTED_SOUND, SCENE, KIND]


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_no_set_of_options_holds_values_that_are_taken_for_each_other(channel: Channel) -> None:
    for options in channel.sets:
        assert set(options) <= set(channel.carriers)
        pairs = {frozenset(pair) for pair in combinations(options, 2)}
        assert not pairs & channel.confusable


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_every_carrier_shows_its_value_alone(channel: Channel) -> None:
    carriers = [item for items in channel.carriers.values() for item in items]
    assert len(set(carriers)) == len(carriers)
    assert set(carriers) <= set(DELIVERIES) | set(SOUNDS)


def test_options_of_the_voice_are_four_and_never_confusable() -> None:
    assert {len(options) for options in VOICE.sets} == {4}
    everything = told_apart(sorted(VOICE.carriers), 3, CONFUSABLE)
    assert ("excited", "hesitant", "monotone") in everything
    assert all(frozenset(("excited", "tense")) - set(options) for options in everything)
    by_hand = [
        options
        for options in combinations(sorted(VOICE.carriers), 3)
        if not {frozenset(pair) for pair in combinations(options, 2)} & CONFUSABLE
    ]
    assert list(everything) == by_hand


def test_every_scene_and_kind_is_asked_for() -> None:
    for channel in (SCENE, KIND):
        assert {value for options in channel.sets for value in options} == set(channel.carriers)


def test_a_sound_that_is_heard_anywhere_shows_no_scene() -> None:
    anywhere = {event for event, (_, scene) in SOUNDS.items() if scene == ANYWHERE}
    assert "dog barking" in anywhere
    assert not anywhere & {event for events in SCENE.carriers.values() for event in events}


def test_every_event_has_its_words() -> None:
    assert set(EVENTS) == set(SOUNDS)
    for event, said in EVENTS.items():
        assert said.endswith(event)
        assert said.removesuffix(event) in ("", "a ", "an ", "somebody ")
        assert said.startswith("an ") == (said.startswith(("a ", "an ")) and event[0] in "aeiou")


@settings(max_examples=60, deadline=None)
@given(palette=st.sets(st.sampled_from([*DELIVERIES, *SOUNDS])))
def test_no_palette_makes_options_that_are_taken_for_each_other(palette: set[str]) -> None:
    for whole in CHANNELS:
        channel = whole.within(palette)
        for options in channel.sets[::7]:
            for one, other in combinations(options, 2):
                for item in (*channel.carriers[one], *channel.carriers[other]):
                    assert item in palette
                if whole in (VOICE, RATE, STRESS, LAUGH):
                    assert not delivery_may_be(one, other)
                elif whole in (SOUND, LISTED_SOUND):
                    assert not sound_may_be(one, "event", other)
                else:
                    for item in channel.carriers[one]:
                        assert other not in ALSO.get(item, ())


def test_one_value_is_shown_by_different_events_where_there_are_some() -> None:
    for at in range(50):
        events = KIND.carry(Random(at), ["animals", "animals", "household"])
        assert len(set(events)) == 3
        assert SCENE.carry(Random(at), ["seaside", "seaside"]) == ["sea waves", "sea waves"]
    assert STRESS.carry(Random(1), [None, "emphatic"]) == [None, "emphatic"]


def test_others_are_told_apart_from_a_value() -> None:
    assert VOICE.others("sad") == [
        "confident", "excited", "hesitant", "surprised", "tense", "whispered",
    ]  # fmt: skip
    assert STRESS.others("emphatic") == []


def test_a_value_as_a_condition() -> None:
    assert VOICE.having("sad") == Delivered(dimension="vocal_state", value="sad")
    assert SCENE.having("town") == Heard(level="scene", value="town")


def test_options_are_listed_in_alphabetical_order() -> None:
    lists = LISTED_SOUND.lists(["siren", "engine", "birds"])
    assert lists == {
        "options": "birds, an engine or a siren",
        "all_options": "birds, an engine and a siren",
    }


def test_only_a_closed_question_has_its_options_for_an_answer_space() -> None:
    assert set(SOUND.space(["rain", "train"]).options) == set(SOUNDS)
    assert not SOUND.space(["rain"]).closed
    assert LISTED_SOUND.space(["train", "rain"]).options == ("rain", "train")


def test_values_without_a_carrier_are_neutral_or_silent() -> None:
    empty = draft("stress_which", 0)
    STRESS.place(empty, empty.entities(2), ["emphatic", None], empty.moments(2))
    assert [item.cue and item.cue.value for item in empty.sessions] == ["emphatic", None]


@pytest.mark.parametrize("options", [["a", "b"], ["a", "b", "c", "d"]])
def test_a_course_is_never_all_alike(options: list[str]) -> None:
    courses = [tuple(course(Random(at), options, 3)) for at in range(300)]
    assert all(len(set(values)) > 1 for values in courses)
    firsts = Counter(values[0] for values in courses)
    assert min(firsts.values()) > 300 / len(options) / 2
