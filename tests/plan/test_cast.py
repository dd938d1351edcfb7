"""Who takes part in a history."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.plan.builders import DEMO, PAPER
from voxmem.errors import ConstructionError
from voxmem.plan.cast import households, main_users, voices
from voxmem.taxonomy import ROUTES, EvidenceType
from voxmem.vocabulary import PERSONAS


@pytest.mark.parametrize(
    ("number", "sizes"),
    [(1, {6}), (2, {6}), (5, {6}), (6, {5}), (7, {4, 5})],
)
def test_personas_are_dealt_out_to_households(number: int, sizes: set[int]) -> None:
    houses = households(DEMO.model_copy(update={"households": number}))
    members = [persona for house in houses for persona in house]
    assert tuple(members) == PERSONAS[: len(members)]
    assert {len(house) for house in houses} == sizes
    assert len(members) == min(6 * number, len(PERSONAS))


def test_too_many_households_would_be_too_small() -> None:
    with pytest.raises(ConstructionError, match="no 8 households of four") as caught:
        households(DEMO.model_copy(update={"households": 8}))
    assert caught.value.remedy == "use at most 7 households"


def test_main_users_come_from_each_household_in_turn() -> None:
    houses = households(PAPER)
    assert main_users(PAPER.model_copy(update={"main_users": 6})) == [
        *(house[0] for house in houses),
        houses[0][1],
    ]


@pytest.mark.parametrize("number", [1, 3, 7])
def test_everybody_may_be_a_main_user(number: int) -> None:
    config = PAPER.model_copy(update={"households": number, "main_users": 30})
    assert sorted(main_users(config)) == sorted(PERSONAS)


def test_more_main_users_than_personas() -> None:
    with pytest.raises(ConstructionError, match="not 31") as caught:
        main_users(PAPER.model_copy(update={"main_users": 31}))
    assert caught.value.remedy == "use at most 30 main users"


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_voices_matter_in_speaker_questions_alone(route: object) -> None:
    casts = [voices(PAPER, route, number) for number in range(60)]  # type: ignore[arg-type]
    shared = route.evidence is EvidenceType.SPEAKER_IDENTITY  # type: ignore[attr-defined]
    assert {len(cast) for cast, _ in casts} == ({6} if shared else {1})
    assert all(asker in cast for cast, asker in casts)
    # Everybody asks, and in equal parts.
    askers = Counter(asker for _, asker in casts)
    assert set(askers) == set(PERSONAS if shared else main_users(PAPER))
    assert len(set(askers.values())) == 1


def test_another_seed_begins_with_somebody_else() -> None:
    begun = {voices(PAPER.model_copy(update={"seed": seed}), ROUTES[-1], 0)[1] for seed in range(9)}
    assert len(begun) > 1
