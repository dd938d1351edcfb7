from __future__ import annotations

import re
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.errors import UsageError
from voxmem.speech.estimate import counts, estimate_seconds, plain_counts
from voxmem.speech.mixing import with_edges

# None of these were used to fit the estimate.
TEXTS = (
    "The plumber comes on Wednesday at nine.",
    "I gave the spare key to Oskar, not to the neighbours.",
    "Did the same person mention the sailing trip twice?",
    "We need 24 candles and a bigger cake.",
    "The old printer is gone. The new one is on the second floor.",
)


def test_the_estimate_is_near_what_is_spoken(engine):
    errors = []
    for number, text in enumerate(TEXTS):
        for voice in ("p02", "p05", "p09"):
            seconds = with_edges(engine.render(text, voice, seed=number).audio).size / 24_000
            errors.append(estimate_seconds(text) / seconds - 1)
    assert np.mean(np.abs(errors)) < 0.10
    assert abs(np.mean(errors)) < 0.07


def test_deliveries_are_estimated_too(engine):
    for delivery in engine.deliveries:
        seconds = with_edges(engine.render(TEXTS[1], "p05", delivery).audio).size / 24_000
        assert estimate_seconds(TEXTS[1], delivery) == pytest.approx(seconds, rel=0.25), delivery


@pytest.mark.parametrize("phrase", ["24 candles", "bigger"])
def test_an_emphasis_on_a_phrase_is_estimated_too(engine, phrase):
    text = TEXTS[3]
    span = (text.index(phrase), text.index(phrase) + len(phrase))
    seconds = np.mean(
        [
            with_edges(engine.render_pair(text, voice, "emphatic", span=span)[0].audio).size
            for voice in engine.voices[::6]
        ]
    )
    seconds /= 24_000
    assert estimate_seconds(text, "emphatic") == pytest.approx(seconds, rel=0.15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We need 24 candles.", (13 + 9, 0, 0)),
        ("It is $1,250; not more! Well: “no” — yes?", (20 + 24, 3, 1)),
        ("Née at 7:30, or not", (10 + 14, 1, 0)),
        ("  Wait... What?! No. ", (10, 0, 2)),
        ("a,b 3. 4", (2 + 5 + 5, 0, 1)),
    ],
)
def test_what_is_counted(text, expected):
    assert counts(text) == expected


def test_letters_are_those_of_the_words_that_are_spoken():
    """Against the plain way: numbers are replaced, then every character is looked at."""
    number = re.compile(r"[$€£]?\d[\d,.:]*\d|[$€£]?\d")

    def letters(text: str) -> int:
        spoken = number.sub(
            lambda it: "x" * round(4.6 * sum(map(str.isdigit, it[0])) + 6 * (it[0][0] in "$€£")),
            text,
        )
        return sum(map(str.isalpha, spoken))

    for text in (*TEXTS, "$5$6 7", "1,2.3:4,", "x€3y ½ ² १२", "", "It is 7:30, $9.99!"):
        assert counts(text)[0] == letters(text), text


@given(st.text(string.ascii_letters + string.digits + "  .,;:!?$-'\"", max_size=40))
def test_plain_text_is_counted_faster_but_not_otherwise(text):
    assert plain_counts(text) == counts(text)


def test_an_unknown_delivery_is_refused():
    with pytest.raises(UsageError):
        estimate_seconds("Hello.", "angry")
