"""One form for every way of writing the same thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.judge.normalise import number, ordinal, stem, tokens, words


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Kitchen!", "kitchen"),
        ("“blue”", "blue"),
        ("can't", "cannot"),
        ("CAN NOT", "can’t"),
        ("1,000,000", "1000000"),
        ("1,000", "one thousand"),
        ("twenty-one", "21"),
        ("two hundred and five", "205"),
        ("3.50", "3.5"),
        ("€30", "30 euros"),
        ("$5", "5 dollars"),
        ("30%", "30 percent"),
        ("2nd", "second"),
        ("21st", "twenty-first"),
        ("May 9", "9th of May"),
        ("2025-05-09", "May 9th, 2025"),
        ("grey", "gray"),
        ("ｒａｉｎ", "rain"),
    ],
)
def test_same(left: str, right: str) -> None:
    assert tokens(left) == tokens(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1", "10"),
        ("two three", "23"),
        ("no", "know"),
        ("3", "3rd"),
        ("1,2", "12"),
        ("May 9", "May 8"),
        ("rain", "train"),
        ("10:30", "1030"),
    ],
)
def test_different(left: str, right: str) -> None:
    assert tokens(left) != tokens(right)


def test_possessives_and_contractions() -> None:
    assert words("The lamp's colour isn't Marta's") == (
        "the", "lamp", "colour", "is", "not", "marta",
    )  # fmt: skip
    assert words("it's") == ("it", "is")


def test_values() -> None:
    assert number("12") == 12
    assert number("rain") is None
    assert ordinal(tokens("third")[0]) == 3
    assert ordinal("3") is None


@pytest.mark.parametrize(
    "family",
    [
        ("whispered", "whispering", "whisper"),
        ("hesitant", "hesitantly"),
        ("rain", "raining", "rainy"),
        ("tense", "tensely"),
        ("bell", "bells"),
        ("wave", "waves"),
        ("sad", "sadly", "sadness"),
    ],
)
def test_inflection(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@given(st.integers(0, 999_999))
def test_digits_with_and_without_separators(value: int) -> None:
    assert tokens(f"{value:,}") == tokens(str(value)) == (str(value),)


@given(st.text(max_size=100))
def test_a_fixed_point_on_any_text(text: str) -> None:
    once = tokens(text)
    assert tokens(text) == once
    assert all(isinstance(token, str) and token for token in once)
