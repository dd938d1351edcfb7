"""Strata: who gets how many places, and what each of its things stands for."""

from __future__ import annotations

from collections import Counter

import pytest

from voxmem.analyze.audit.sample import Sample, Stratum, draw

SHARES = {"disputed": 2}


def strata(**sizes: int) -> dict[str, Stratum]:
    """``group_part=size``."""
    return {
        f"{name}{at}": Stratum(*name.split("_"))
        for name, size in sizes.items()
        for at in range(size)
    }


POPULATION = strata(a_disputed=10, a_correct=10, a_incorrect=10, b_correct=3)


def test_groups_are_given_as_many_places_and_parts_their_shares() -> None:
    found = draw(POPULATION, 16, 1, SHARES)
    assert Counter(POPULATION[name] for name in found.queue) == {
        Stratum("a", "disputed"): 6,
        Stratum("a", "correct"): 4,
        Stratum("a", "incorrect"): 3,
        Stratum("b", "correct"): 3,
    }


def test_a_larger_sample_holds_the_smaller_one_and_all_is_all() -> None:
    small, large = (set(draw(POPULATION, count, 1, SHARES).queue) for count in (9, 16))
    assert small < large
    assert sorted(draw(POPULATION, 500, 1, SHARES).queue) == sorted(POPULATION)
    assert draw({}, 5, 1).queue == ()


def test_a_seed_draws_others_in_an_order_that_says_nothing_of_strata() -> None:
    one, two = (draw(POPULATION, 16, seed, SHARES).queue for seed in (1, 2))
    assert set(one) != set(two)
    parts = [POPULATION[name] for name in one]
    assert parts != sorted(parts)


def test_what_is_labelled_stands_for_its_stratum() -> None:
    """Of the queue, and of a larger one from before."""
    population = strata(a_correct=10, a_incorrect=4, b_correct=6)
    sample = Sample(population, ("a_correct0", "a_incorrect0", "b_correct0"))
    labelled = {"a_correct0", "a_correct1", "a_incorrect0", "gone"}
    assert sample.weights(labelled) == {"a_correct0": 5, "a_correct1": 5, "a_incorrect0": 4}
    assert sample.missing(labelled) == pytest.approx(6 / 20)
