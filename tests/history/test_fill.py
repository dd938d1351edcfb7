"""Filling a room with whole sessions."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.history.fill import fill


def total(tokens: list[int], chosen: list[int]) -> int:
    return sum(tokens[at] for at in chosen)


@given(
    tokens=st.lists(st.integers(1, 1500), max_size=80),
    most=st.integers(-100, 40_000),
    window=st.integers(0, 2_000),
)
def test_never_above_and_nothing_twice(tokens: list[int], most: int, window: int) -> None:
    chosen = fill(tokens, most - window, most)
    assert chosen == sorted(set(chosen))
    assert not chosen or total(tokens, chosen) <= most
    assert all(0 <= at < len(tokens) for at in chosen)


def lengths(draw: Random, count: int) -> list[int]:
    """Sessions of two to seven turns."""
    return [sum(draw.randint(150, 260) for _ in range(draw.randint(2, 7))) for _ in range(count)]


@pytest.mark.parametrize("budget", [8_000, 16_000, 64_000])
def test_five_per_cent_are_met_with_sessions_of_the_paper(budget: int) -> None:
    """Beside evidence of any length, with no more sessions in reserve than are allocated."""
    draw = Random(budget)
    for _ in range(100):
        held = draw.randint(1_000, 5_000)
        tokens = lengths(draw, (budget - held) // 900 + 8)
        chosen = fill(tokens, round(0.95 * budget) - held, budget - held)
        assert 0.95 * budget <= held + total(tokens, chosen) <= budget


def test_the_length_of_a_filler_does_not_tell_when_it_was_taken() -> None:
    """What is taken for a short history is as long as any other, on average."""
    draw = Random(7)
    every, taken = [], []
    for _ in range(2_000):
        tokens = lengths(draw, 60)
        room = draw.randint(2_500, 6_000)
        every += tokens
        taken += [tokens[at] for at in fill(tokens, room - 400, room)]
    # The standard error of the mean of some 9,000 sessions is about 4 tokens.
    assert mean(taken) == pytest.approx(mean(every), rel=0.02)


def test_the_order_of_taking_is_kept_where_it_fits() -> None:
    assert fill([100, 100, 100, 100], 290, 310) == [0, 1, 2]
    assert fill([100, 100, 300, 100], 290, 310) == [0, 1, 3]


def test_what_cannot_be_filled_stays_below() -> None:
    assert fill([500, 600], 300, 400) == []
    assert fill([100, 150], 900, 1_000) == [0, 1]
    assert fill([], 100, 200) == []


def test_no_room_takes_nothing() -> None:
    assert fill([10, 20], -50, 0) == []
    assert fill([10, 20], -200, -100) == []
