"""Questions name sounds in many ways."""

from __future__ import annotations

import pytest

from voxmem.memory.systems.sound_words import sounds_asked_for
from voxmem.vocabulary import SOUNDS


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("Was there a dog that barked?", {"dog barking"}),
        ("I had the clock ticking and heard a siren", {"clock ticking", "siren"}),
        ("Someone was typing on a keyboard.", {"keyboard typing"}),
        ("I was out woodcutting", {"chainsaw", "hand saw"}),
        ("How many people came to the car inspection?", set()),
        ("Which day did I walk to town?", set()),
    ],
)
def test_named_sounds(text: str, events: set[str]) -> None:
    assert sounds_asked_for(text) == events


def test_a_category_is_all_of_its_events() -> None:
    named = sounds_asked_for("Did you hear any animals?")

    assert named == {event for event, (category, _) in SOUNDS.items() if category == "animals"}


def test_a_question_about_sounds_that_names_none_is_about_all() -> None:
    assert sounds_asked_for("What sound was behind me?") == set(SOUNDS)
