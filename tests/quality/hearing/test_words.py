from __future__ import annotations

import pytest

from voxmem.quality.hearing.words import normal_words, number_words, ordinal_words, word_error_rate


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "zero"), (14, "fourteen"), (40, "forty"), (99, "ninety nine"), (100, "one hundred"),
     (1250, "one thousand two hundred fifty"), (999_999, "nine hundred ninety nine thousand nine "
      "hundred ninety nine")],
)  # fmt: skip
def test_numbers(number, words):
    assert number_words(number) == words.split()


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "first"), (9, "ninth"), (12, "twelfth"), (20, "twentieth"), (23, "twenty third")],
)
def test_ordinals(number, words):
    assert ordinal_words(number) == words.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I paid $45.", "i paid forty-five dollars"),
        ("the 9th of March", "The ninth of March."),
        ("born in 1998", "born in nineteen ninety-eight"),
        ("2,500 people, about 40%", "two thousand five hundred people about forty percent"),
        ("Um, it's fine, uh, really", "its fine really"),
        ("at 7:30 p.m.", "at 7 30 pm"),
        ("one hundred and five", "105"),
    ],
)
def test_two_ways_of_writing_the_same_speech(one, other):
    if "$" in one:  # the currency moves to the other side of the number
        assert sorted(normal_words(one)) == sorted(normal_words(other))
    else:
        assert normal_words(one) == normal_words(other)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rate"),
    [
        ("a b c d", "a b c d", 0.0),
        ("a b c d", "a x c d", 0.25),
        ("a b c d", "a c d", 0.25),
        ("a b c d", "a b b c d", 0.25),
        ("a b", "", 1.0),
        ("", "", 0.0),
        ("", "a", 1.0),
        ("a", "b c d", 3.0),
    ],
)
def test_word_error_rate(reference, hypothesis, rate):
    assert word_error_rate(reference, hypothesis) == pytest.approx(rate)
