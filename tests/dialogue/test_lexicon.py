"""Word lists, their inflections, and how they are looked up."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from voxmem.dialogue.inflect import adjective, noun, verb
from voxmem.dialogue.lexicon import Phrases, channels, names, tokens
from voxmem.dialogue.repeats import in_words
from voxmem.dialogue.slots import fill
from voxmem.dialogue.spoken import spoken_day
from voxmem.keys import rng
from voxmem.vocabulary import DELIVERIES


@pytest.mark.parametrize(
    ("stem", "forms"),
    [
        ("whisper", "whisper whispers whispered whispering"),
        ("hum", "hum hums hummed humming"),
        ("hesitate", "hesitate hesitates hesitated hesitating"),
        ("hurry", "hurry hurries hurried hurrying"),
        ("hiss", "hiss hisses hissed hissing"),
    ],
)
def test_forms_of_a_verb(stem: str, forms: str) -> None:
    assert set(forms.split()) <= verb(stem)


@pytest.mark.parametrize(
    ("stem", "forms"),
    [
        ("slow", "slow slower slowest slowly slowness"),
        ("happy", "happy happier happiest happily happiness"),
        ("sad", "sad sadder saddest sadly sadness"),
        ("tense", "tense tenser tensest tensely"),
        ("audible", "audible audibly"),
        ("apathetic", "apathetic apathetically"),
    ],
)
def test_forms_of_an_adjective(stem: str, forms: str) -> None:
    assert set(forms.split()) <= adjective(stem)


def test_forms_of_a_noun() -> None:
    assert noun("bell") == {"bell", "bells"}
    assert noun("city") == {"city", "cities"}
    assert noun("beach") == {"beach", "beaches"}
    assert noun("railway") == {"railway", "railways"}


def test_tokens_are_whole_words_without_possessives() -> None:
    assert tokens("The bird's nest, it’s OLD: 45!") == ["the", "bird", "nest", "it's", "old", "45"]


def test_phrases_are_found_as_whole_words() -> None:
    phrases = Phrases([("sea wave", "sound"), ("sea", "place"), ("a b", "letters")])
    assert set(phrases.find(tokens("The sea wave."))) == {("sound", "sea wave"), ("place", "sea")}
    assert list(phrases.find(tokens("A season of waves"))) == []
    assert list(phrases.find(tokens("b a b"))) == [("letters", "a b")]
    assert list(phrases.find([])) == []


def test_every_list_is_worth_its_name() -> None:
    sizes = {channel: len(words) for channel, words in channels().items()}
    assert sizes.keys() == {
        *("delivery", "sound", "place", "identity", "change", "wording"),
        *("time", "date", "style", "confirm"),
    }
    assert sizes["delivery"] > 500
    assert sizes["sound"] > 200
    assert min(sizes.values()) > 15


def test_every_delivery_is_listed() -> None:
    assert channels()["delivery"] >= set(DELIVERIES)


def test_names_are_capitalised_and_no_word_of_the_lists() -> None:
    assert all(name.istitle() for name in names())
    listed = set().union(*channels().values())
    assert not [name for name in names() if name.lower() in listed]


def test_every_day_of_a_year_is_spoken_in_its_own_words() -> None:
    days = [date(2024, 1, 1) + timedelta(days=number) for number in range(366)]
    said = [spoken_day(day) for day in days]
    assert len(set(said)) == 366
    assert not [text for text in said if any(map(str.isdigit, text))]
    assert spoken_day(date(2025, 6, 3)) == "the third of June"
    assert spoken_day(date(2025, 3, 20)) == "the twentieth of March"
    assert spoken_day(date(2025, 3, 22)) == "the twenty-second of March"
    assert spoken_day(date(2025, 8, 30)) == "the thirtieth of August"
    assert spoken_day(date(2025, 8, 31)) == "the thirty-first of August"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (12, "twelve"),
        (20, "twenty"),
        (45, "forty five"),
        (100, "one hundred"),
        (120, "one hundred and twenty"),
        (999, "nine hundred and ninety nine"),
    ],
)
def test_numbers_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


def test_slots_are_filled_from_what_is_given_or_by_a_draw() -> None:
    slots = {"a": ("x", "y"), "b": ("z",)}
    seen = {fill("{a} {b} {c}", slots, rng(number), {"c": "w"}) for number in range(40)}
    assert seen == {"x z w", "y z w"}
