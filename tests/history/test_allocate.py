"""Allocations of a whole benchmark."""

from __future__ import annotations

from datetime import datetime
from statistics import mean

import pytest

from tests.history.builders import CONFIG, make_world, told, world
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation, allocate, allocate_all, derive_allocation
from voxmem.records import Placement, Plan

WORLD = world()


def rows() -> dict[str, Allocation]:
    return {row.question_id: row for row in WORLD.allocated.rows}


def places(row: Allocation) -> list[Placement]:
    return [*row.required, *row.samekey, *row.topical, *row.fillers]


def sources() -> list[Plan]:
    return [plan for plan in WORLD.plans if plan.question.source_question_id is None]


def test_every_plan_has_one() -> None:
    assert list(rows()) == [plan.question.question_id for plan in WORLD.plans]


def test_every_session_has_a_day_of_its_own_inside_the_window() -> None:
    first, last = CONFIG.window
    for row in rows().values():
        days = [place.timestamp.date() for place in places(row)]
        assert len(set(days)) == len(days)
        assert first <= min(days)
        assert max(days) <= last


def test_a_session_occurs_once() -> None:
    for row in rows().values():
        names = [place.session_id for place in places(row)]
        assert len(set(names)) == len(names)


def test_every_planned_session_is_placed_under_its_role_and_time() -> None:
    for plan in sources():
        row = rows()[plan.question.question_id]
        planned = {(item.session_id, item.timestamp, item.role) for item in plan.sessions}
        mine = {
            (place.session_id, place.timestamp, place.role)
            for place in (*row.required, *row.samekey)
        }
        assert mine == planned
        assert {place.role for place in row.required} == {"evidence"}


def test_same_key_distractors_are_taken_in_the_order_of_their_ids() -> None:
    for plan in sources():
        names = [place.session_id for place in rows()[plan.question.question_id].samekey]
        assert names == sorted(names)


def test_orders_of_fillers_differ() -> None:
    orders = {tuple(place.session_id for place in rows()[_id(plan)].fillers) for plan in sources()}
    assert len(orders) == len(sources())


def _id(plan: Plan) -> str:
    return plan.question.question_id


def test_a_variant_takes_over_all_places_but_one() -> None:
    for plan in WORLD.plans:
        source = plan.question.source_question_id
        if source is not None:
            before, after = places(rows()[source]), places(rows()[_id(plan)])
            changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
            assert len(changed) == 1
            assert changed[0][0].timestamp == changed[0][1].timestamp


def test_a_variant_that_changes_nothing_is_an_error() -> None:
    plan = WORLD.plans[0]
    with pytest.raises(ConstructionError, match="changes one session, not 0"):
        derive_allocation(rows()[_id(plan)], plan, plan)


def test_a_variant_without_its_source_is_an_error() -> None:
    variant = WORLD.plans[-1]
    with pytest.raises(ConstructionError, match="its source q_mine001 is missing"):
        allocate_all(CONFIG, [variant], WORLD.sessions, WORLD.fillers)


def test_a_dangling_session_is_an_error() -> None:
    with pytest.raises(ConstructionError, match="there are no words of it") as caught:
        allocate_all(CONFIG, [told(0)], {}, WORLD.fillers)
    assert str(caught.value.item).startswith("q_told000_s")


def test_allocations_follow_from_config_and_plans() -> None:
    again = make_world(12)
    assert again.allocated.rows == WORLD.allocated.rows


def test_another_seed_is_another_allocation() -> None:
    plan, fillers = told(0), ["f_a_p05", "f_b_p05"]
    other = CONFIG.model_copy(update={"seed": 5})
    assert allocate(CONFIG, plan, (), fillers) != allocate(other, plan, (), fillers)


def test_no_role_is_told_by_its_place_in_time() -> None:
    """Over many histories, each role is as early, as late and as spread as any other."""
    start, end = CONFIG.window
    span = (end - start).days
    where: dict[str, list[float]] = {}
    for row in rows().values():
        for place in places(row):
            where.setdefault(place.role, []).append((place.timestamp.date() - start).days / span)
    for role in ("evidence", "samekey_haystack", "topical_haystack", "filler"):
        # The standard error of a quarter's share is 0.04 for the smallest role.
        assert mean(where[role]) == pytest.approx(0.5, abs=0.08)
        for quarter in range(4):
            share = mean(quarter / 4 <= day < (quarter + 1) / 4 for day in where[role])
            assert share == pytest.approx(0.25, abs=0.12)


def test_no_role_is_told_by_its_hour_or_minute() -> None:
    found: dict[str, list[datetime]] = {}
    for row in rows().values():
        for place in places(row):
            found.setdefault(place.role, []).append(place.timestamp)
    for role in ("evidence", "samekey_haystack", "topical_haystack", "filler"):
        moments = found[role]
        assert min(when.hour for when in moments) >= 8
        assert max(when.hour for when in moments) <= 21
        assert mean(when.minute for when in moments) == pytest.approx(29.5, abs=6)
        assert mean(when.hour for when in moments) == pytest.approx(14.5, abs=1.5)
