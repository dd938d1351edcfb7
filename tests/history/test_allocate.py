"""Order of taking, and places in time."""

from __future__ import annotations

from statistics import mean

import pytest

from tests.history.builders import allocations, fillers, plans
from tests.plan.builders import FORMS, planned
from voxmem.config import DEMO
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation, allocate, derive_allocation, pool_size
from voxmem.records import Placement, Plan


def places(allocation: Allocation) -> list[Placement]:
    return [
        *allocation.required,
        *allocation.samekey,
        *allocation.topical,
        *allocation.fillers,
    ]


def answerable() -> list[tuple[Plan, Allocation]]:
    return [
        (plan, allocations()[name])
        for name, plan in plans().items()
        if plan.question.gold is not None
    ]


def test_every_session_has_a_day_of_its_own_inside_the_window() -> None:
    first, last = DEMO.window
    for allocation in allocations().values():
        days = [place.timestamp.date() for place in places(allocation)]
        assert len(set(days)) == len(days)
        assert first <= min(days)
        assert max(days) <= last


def test_a_session_occurs_once() -> None:
    for allocation in allocations().values():
        names = [place.session_id for place in places(allocation)]
        assert len(set(names)) == len(names)


def test_every_planned_session_is_placed_under_its_role_and_time() -> None:
    for plan, allocation in answerable():
        planned_places = {(item.session_id, item.timestamp, item.role) for item in plan.sessions}
        mine = {
            (place.session_id, place.timestamp, place.role)
            for place in places(allocation)
            if place.role != "filler"
        }
        assert mine == planned_places
        assert {place.role for place in allocation.required} == {"evidence"}


def test_fillers_are_of_the_cast_and_differ_in_order() -> None:
    orders = set()
    for _, allocation in answerable():
        speakers = {place.session_id.split("_")[2] for place in allocation.fillers}
        assert speakers <= set(allocation.cast)
        orders.add(tuple(place.session_id for place in allocation.fillers))
    assert len(orders) == len(answerable())


def test_a_household_is_heard_in_its_fillers() -> None:
    for _, allocation in answerable():
        if len(allocation.cast) > 1:
            speakers = {place.session_id.split("_")[2] for place in allocation.fillers}
            assert speakers == set(allocation.cast)


def test_the_window_must_have_a_day_for_every_session() -> None:
    """What cannot be placed is not quietly left out of the longest history."""
    start = DEMO.window[0]
    short = DEMO.model_copy(update={"window": (start, start.replace(day=20))})
    with pytest.raises(ConstructionError, match="days"):
        allocate(short, planned("total", 0), fillers())


def test_a_cast_without_fillers_is_an_error() -> None:
    with pytest.raises(ConstructionError, match="the cast has no fillers"):
        allocate(DEMO, planned("total", 0), {})


def test_a_planned_session_without_a_time_is_an_error() -> None:
    plan = planned("total", 0)
    timeless = [item.model_copy(update={"timestamp": None}) for item in plan.sessions]
    with pytest.raises(ConstructionError, match="has no timestamp"):
        allocate(DEMO, plan.model_copy(update={"sessions": tuple(timeless)}), fillers())


def test_main_users_have_a_pool_for_a_whole_history_and_others_a_share() -> None:
    assert pool_size(DEMO, "p01") > 2 * pool_size(DEMO, "p02")
    assert pool_size(DEMO, "p02") == pool_size(DEMO, "p03")


def test_a_variant_takes_over_all_places_but_one() -> None:
    for name, plan in plans().items():
        source = plan.question.source_question_id
        if source is not None:
            before, after = places(allocations()[source]), places(allocations()[name])
            changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
            assert len(changed) == 1
            assert changed[0][0].timestamp == changed[0][1].timestamp


def test_a_variant_that_changes_nothing_is_an_error() -> None:
    name, plan = next(iter(plans().items()))
    with pytest.raises(ConstructionError, match="changes one session, not 0"):
        derive_allocation(allocations()[name], plan, plan)


def test_allocations_follow_from_the_plan() -> None:
    plan = planned("total", 0)
    assert allocate(DEMO, plan, fillers()) == allocate(DEMO, plan, fillers())


def test_no_role_is_told_by_its_place_in_time() -> None:
    """Over many histories, each role is as early, as late and as spread as any other."""
    where: dict[str, list[float]] = {}
    start, end = DEMO.window
    span = (end - start).days
    for form in FORMS:
        for index in range(8):
            allocation = allocate(DEMO, planned(form, index), fillers())
            for place in places(allocation):
                days = (place.timestamp.date() - start).days / span
                where.setdefault(place.role, []).append(days)
    assert set(where) == {"evidence", "samekey_haystack", "topical_haystack", "filler"}
    for days in where.values():
        # The standard error of a quarter's share is about 0.02 for the smallest role.
        assert mean(days) == pytest.approx(0.5, abs=0.04)
        for quarter in range(4):
            share = mean(quarter / 4 <= day < (quarter + 1) / 4 for day in days)
            assert share == pytest.approx(0.25, abs=0.06)


def test_no_role_is_told_by_its_hour() -> None:
    hours: dict[str, set[int]] = {}
    for allocation in allocations().values():
        for place in places(allocation):
            hours.setdefault(place.role, set()).add(place.timestamp.hour)
    assert all(min(found) >= 8 and max(found) <= 21 for found in hours.values())
    assert hours["filler"] == set(range(8, 22))
