"""Places in time."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from random import Random

import pytest

from tests.history.builders import CONFIG, told, voiced
from voxmem.errors import ConstructionError
from voxmem.history.moments import draw_moments, own_days
from voxmem.plan.draft import when_of
from voxmem.query import AsOf, Condition, Dated, Named, Only, ReadFact, Reading, ReadSound
from voxmem.records import Plan

DAYS = (CONFIG.window[1] - CONFIG.window[0]).days + 1
SHORT = CONFIG.model_copy(update={"window": (CONFIG.window[0], CONFIG.window[0].replace(day=20))})


def within(config_window: tuple[date, date], plan: Plan) -> Plan:
    """The plan with its sessions on the first days of a window."""
    start = datetime.combine(config_window[0], datetime.min.time()).replace(hour=9)
    moved = [
        item.model_copy(update={"timestamp": start + timedelta(days=at)})
        for at, item in enumerate(plan.sessions)
    ]
    return plan.model_copy(update={"sessions": tuple(moved)})


def dated(plan: Plan, *where: Condition) -> Plan:
    reading = Reading(select=Named(anchors=(where,)), read=ReadSound())
    question = plan.question.model_copy(update={"query": Only(of=reading)})
    return plan.model_copy(update={"question": question})


def test_a_day_of_its_own_for_every_session_where_the_window_has_enough() -> None:
    plan = told(0)
    free = DAYS - len(plan.sessions)
    moments = draw_moments(CONFIG, plan, (), free, Random(1))
    days = [when.date() for when in moments] + [when_of(item).date() for item in plan.sessions]
    assert len(set(days)) == DAYS == len(days)


def test_days_are_shared_evenly_where_there_are_too_few() -> None:
    """As in a history of a million tokens: more than a thousand sessions in half a year."""
    plan = told(0)
    moments = draw_moments(CONFIG, plan, (), 1_200, Random(2))
    every = moments + [when_of(item) for item in plan.sessions]
    assert len(set(every)) == len(every)
    assert max(Counter(when.date() for when in every).values()) == -(-len(every) // DAYS)


def test_moments_are_at_waking_hours_and_any_minute() -> None:
    moments = draw_moments(CONFIG, told(0), (), 900, Random(3))
    assert {when.hour for when in moments} == set(range(8, 22))
    assert len({when.minute for when in moments}) == 60
    assert moments != sorted(moments)


def test_what_is_placed_already_is_avoided() -> None:
    plan = told(0)
    placed = draw_moments(CONFIG, plan, (), 20, Random(4))
    more = draw_moments(CONFIG, plan, placed, 100, Random(4))
    assert {when.date() for when in placed}.isdisjoint(when.date() for when in more)


@pytest.mark.parametrize("shared", [10, 200])
def test_a_day_that_the_question_names_is_shared_by_nobody(shared: int) -> None:
    plan = within(SHORT.window, voiced(0))
    plan = dated(plan, Dated(day=when_of(plan.sessions[0]).date()))
    moments = draw_moments(SHORT, plan, (), shared, Random(5))
    evidence = {when_of(item).date() for item in plan.sessions if item.role == "evidence"}
    named = {when_of(plan.sessions[0]).date()}
    assert own_days(plan) == evidence | named
    assert own_days(plan).isdisjoint(when.date() for when in moments)


def test_the_moment_a_state_is_asked_for_names_its_day() -> None:
    plan = told(0)
    reading = Reading(select=Named(anchors=()), read=ReadFact(attribute="cost"))
    asked = AsOf(of=reading, at=datetime(2025, 5, 4, 12))
    plan = plan.model_copy(update={"question": plan.question.model_copy(update={"query": asked})})
    assert date(2025, 5, 4) in own_days(plan)


def test_no_day_is_kept_where_the_question_names_none() -> None:
    assert own_days(told(0)) == frozenset()


def test_a_window_that_is_much_too_short_is_an_error() -> None:
    plan = within(SHORT.window, told(0))
    with pytest.raises(ConstructionError, match="600 sessions more do not fit into 20 days"):
        draw_moments(SHORT, plan, (), 600, Random(6))


def test_moments_follow_from_the_seed() -> None:
    plan = told(0)
    assert draw_moments(CONFIG, plan, (), 30, Random(7)) == draw_moments(
        CONFIG, plan, (), 30, Random(7)
    )
