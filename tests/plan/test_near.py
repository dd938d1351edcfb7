"""What one may take for something else."""

from __future__ import annotations

import pytest

from voxmem.plan.catalog import catalog
from voxmem.plan.near import (
    ALSO,
    NEAR_SOUNDS,
    NEAR_TOPICS,
    delivery_may_be,
    far_topics,
    sound_may_be,
    unlike_deliveries,
    unlike_sounds,
)
from voxmem.vocabulary import DELIVERIES, SOUNDS


def test_everything_that_is_near_has_a_name() -> None:
    assert {event for pair in NEAR_SOUNDS for event in pair} <= set(SOUNDS)
    assert {len(pair) for pair in NEAR_SOUNDS} == {2}
    assert set(ALSO) <= set(SOUNDS)
    levels = {name for own in SOUNDS.values() for name in own}
    for event, others in ALSO.items():
        assert set(others) <= levels - set(SOUNDS[event])
    assert {topic for topics in NEAR_TOPICS for topic in topics} <= set(catalog().topics)


@pytest.mark.parametrize(
    ("event", "level", "value", "may_be"),
    [
        ("rain", "event", "rain", True),
        ("rain", "event", "sea waves", True),
        ("rain", "event", "siren", False),
        ("car horn", "category", "vehicles", True),
        ("train", "category", "alarms and signals", False),
        ("train", "scene", "street", True),  # an engine sounds like a train
        ("train", "scene", "nature", False),
        ("dog barking", "scene", "farm", True),  # a dog is heard anywhere
        ("dog barking", "event", "cow", False),
    ],
)
def test_what_a_sound_may_be_taken_for(event: str, level: str, value: str, may_be: bool) -> None:
    assert sound_may_be(event, level, value) == may_be
    assert (event in unlike_sounds(SOUNDS, level, value)) != may_be


def test_only_the_palette_is_drawn_from() -> None:
    assert unlike_sounds(("siren", "rain", "cow"), "event", "rain") == ["cow", "siren"]
    assert unlike_sounds(("rain",), "event", "rain") == []
    assert unlike_deliveries(("sad", "tense", "slow"), "excited") == ["sad"]


def test_deliveries_that_are_confused() -> None:
    assert delivery_may_be("sad", "sad")
    assert delivery_may_be("sad", "monotone")
    assert not delivery_may_be("sad", "excited")
    assert unlike_deliveries(DELIVERIES, "fast") == ["slow"]
    assert unlike_deliveries(DELIVERIES, "laughter") == []


def test_far_topics_are_not_near_and_not_itself() -> None:
    for topic in catalog().topics:
        far = far_topics(topic)
        assert far
        assert topic not in far
        assert not any({topic, other} <= set(near) for other in far for near in NEAR_TOPICS)
