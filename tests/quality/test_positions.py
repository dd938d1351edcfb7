"""Positions of roles in their histories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

import pytest

from voxmem.quality.positions import ENOUGH, check_positions, relative_positions
from voxmem.records import History, Length, Placement, Role

NOON = datetime(2025, 3, 1, 12)
LENGTH = Length(audio_seconds=0, audio_tokens=0, text_tokens=0, clips=0)


def history(number: int, roles: list[Role], budget: str = "8K") -> History:
    return History(
        item_id=f"q{number}_{budget.lower()}",
        question_id=f"q{number}",
        budget=budget,
        placements=tuple(
            Placement(session_id=f"s{at}", timestamp=NOON + timedelta(days=at), role=role)
            for at, role in enumerate(roles)
        ),
        length=LENGTH,
    )


def shuffled(count: int, seed: int = 1) -> Iterator[History]:
    """Histories of nine sessions, two of them evidence, in random order."""
    draw = Random(seed)
    for number in range(count):
        roles: list[Role] = ["evidence"] * 2 + ["samekey_haystack"] + ["filler"] * 6
        draw.shuffle(roles)
        yield history(number, roles)


def failed(histories: list[History]) -> list[str]:
    return [row.subject for row in check_positions(histories) if not row.passed]


def test_positions_lie_within_their_part_of_the_history() -> None:
    positions = relative_positions([history(1, ["evidence", "filler", "filler", "evidence"])])
    first, last = positions["8K", "evidence"]
    assert 0 <= first < 0.25
    assert 0.75 <= last < 1


def test_random_orders_pass() -> None:
    assert failed(list(shuffled(300))) == []


def test_random_orders_fail_no_more_often_than_they_may() -> None:
    assert sum(bool(failed(list(shuffled(60, seed)))) for seed in range(100)) <= 2


@pytest.mark.parametrize("place", ["first", "last", "middle"])
def test_evidence_at_a_place_of_its_own_fails(place: str) -> None:
    at = {"first": 0, "last": 7, "middle": 4}[place]
    rest: list[Role] = ["filler"] * 7
    histories = [
        history(number, [*rest[:at], "evidence", "evidence", *rest[at:]]) for number in range(60)
    ]
    assert "evidence at 8K" in failed(histories)


def test_a_slight_tendency_of_many_fails() -> None:
    """Two thirds of the evidence are moved from the first to the second half."""
    draw = Random(3)
    histories = []
    for item in shuffled(400):
        places = list(item.placements)
        early = [at for at in range(4) if places[at].role == "evidence"]
        if early and draw.random() < 0.67:
            swap = draw.randrange(5, 9)
            one, two = places[early[0]], places[swap]
            places[early[0]] = one.model_copy(update={"role": two.role})
            places[swap] = two.model_copy(update={"role": one.role})
        histories.append(item.model_copy(update={"placements": tuple(places)}))
    assert "evidence at 8K" in failed(histories)


def test_few_placements_are_not_tested() -> None:
    few = [history(number, ["evidence", "filler"]) for number in range(ENOUGH - 1)]
    assert check_positions(few) == []
    assert len(check_positions([*few, history(99, ["filler", "evidence"])])) == 2


def test_every_role_is_tested_at_every_budget_and_corrected_for_it() -> None:
    histories = list(shuffled(60)) + [
        item.model_copy(update={"budget": "16K", "item_id": f"{item.question_id}_16k"})
        for item in shuffled(60, 2)
    ]
    rows = check_positions(histories)
    assert [row.subject for row in rows] == [
        f"{role} at {budget}"
        for budget in ("16K", "8K")
        for role in ("evidence", "filler", "samekey_haystack")
    ]
    assert {row.check for row in rows} == {"positions_uniform"}
    for row in rows:
        raw = float(row.detail.split("p = ")[1].split()[0])
        assert row.value == pytest.approx(min(1.0, 6 * raw), rel=0.01)


def test_positions_follow_from_the_histories() -> None:
    assert check_positions(shuffled(80)) == check_positions(shuffled(80))
