"""Which channel a wrong answer is laid to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.memory.hearing import FIRST, clip, history, session
from tests.memory.test_listener import NAMES, item
from voxmem.memory.errors import SEVERAL, blame, rates
from voxmem.query import About, Heard, Latest, Open, ReadFact, Reading, SpokenBy
from voxmem.records import Placement

SAID = (
    "The bread baking costs 45 euros.",
    "The jazz workshop is on a Friday.",
    "Now the bread baking costs 50 euros.",
)


def asked(*conditions):
    where = (About(entity="the bread baking"), *conditions)
    query = Latest(of=Reading(select=Open(where=where), read=ReadFact(attribute="cost")))
    made = item(NAMES, query)
    places = tuple(
        Placement(
            session_id=place.session_id, timestamp=FIRST + timedelta(days=at), role="evidence"
        )
        for at, place in enumerate(made.history.placements)
    )
    return replace(made, history=made.history.model_copy(update={"placements": places}))


def heard(words=SAID, voices=(0, 1, 0), sound="rain"):
    clips = (clip(text, voice, sound) for text, voice in zip(words, voices, strict=True))
    return history(*(session(at, each) for at, each in enumerate(clips)))


def is_right(text):
    return text == "50"


def test_a_right_answer_has_no_error():
    assert blame(asked(), heard(), is_right) == ()


MISHEARD = (SAID[0], SAID[1], "Now the bread baking costs 60 euros.")


@pytest.mark.parametrize(
    ("conditions", "history", "channels"),
    [
        ((), heard(MISHEARD), ("recogniser",)),
        ((SpokenBy(),), heard(voices=(0, 1, 2)), ("speaker",)),
        ((Heard(value="rain"),), heard(sound="wind"), ("sound",)),
        ((SpokenBy(),), heard(MISHEARD, (0, 1, 2)), (SEVERAL,)),
    ],
)
def test_the_channel_that_alone_puts_an_answer_right_is_blamed(conditions, history, channels):
    assert blame(asked(*conditions), history, is_right) == channels


def test_rates_count_what_is_perceived_right():
    found = rates([(asked(), heard(MISHEARD))])
    assert found["facts, behind a sound"] == (2, 3)
    assert found["entity, behind a sound"] == (3, 3)
    assert found["sound, behind a sound"] == (3, 3)
    assert found["speaker, behind a sound"] == (3, 3)
    assert found["delivery, behind a sound"][1] == 3
