"""Who takes part in a history."""

from __future__ import annotations

import pytest

from tests.plan.builders import DEMO, PAPER
from voxmem.errors import ConstructionError
from voxmem.plan.cast import households, main_users, voices
from voxmem.taxonomy import ROUTES, EvidenceType
from voxmem.vocabulary import PERSONAS


@pytest.mark.parametrize("number", [1, 2, 3])
def test_personas_are_dealt_out_to_households(number: int) -> None:
    houses = households(DEMO.model_copy(update={"households": number}))
    assert sorted(persona for house in houses for persona in house) == sorted(PERSONAS)
    assert {len(house) for house in houses} == {len(PERSONAS) // number}


def test_too_many_households_would_be_too_small() -> None:
    with pytest.raises(ConstructionError, match="no 4 households of four") as caught:
        households(DEMO.model_copy(update={"households": 4}))
    assert caught.value.remedy == "use at most 3 households"


def test_main_users_come_from_each_household_in_turn() -> None:
    houses = households(PAPER)
    assert main_users(PAPER.model_copy(update={"main_users": 4})) == [
        *(house[0] for house in houses),
        houses[0][1],
    ]


def test_more_main_users_than_personas() -> None:
    with pytest.raises(ConstructionError, match="not 13") as caught:
        main_users(PAPER.model_copy(update={"main_users": 13}))
    assert caught.value.remedy == "use at most 12 main users"


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_voices_matter_in_speaker_questions_alone(route: object) -> None:
    casts = [voices(PAPER, route, number) for number in range(24)]  # type: ignore[arg-type]
    shared = route.evidence is EvidenceType.SPEAKER_IDENTITY  # type: ignore[attr-defined]
    assert {len(cast) for cast, _ in casts} == ({4} if shared else {1})
    assert all(asker in cast for cast, asker in casts)
    # Everybody asks, and in equal parts.
    askers = [asker for _, asker in casts]
    assert {askers.count(persona) for persona in PERSONAS} == {2}


def test_another_seed_begins_with_somebody_else() -> None:
    begun = {voices(PAPER.model_copy(update={"seed": seed}), ROUTES[-1], 0)[1] for seed in range(9)}
    assert len(begun) > 1
