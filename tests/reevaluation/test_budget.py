"""A night's limit: what may be spent at most is set aside before it is started, and once."""

from __future__ import annotations

import pytest

from tests.reevaluation.world import CHEAP, NEXT, World, entry, price
from voxmem.reevaluation import Attempts, Goal
from voxmem.reevaluation.budget import within
from voxmem.reevaluation.records import Standing, Step

ITEMS = 15
MOST = ITEMS * 1024 * CHEAP / 1e6
"""Of a run over the demo at 2K, at $1 a million tokens: $0.01536, so 2 cents."""


def limited(world: World, dollars: float) -> None:
    world.goal = Goal(budgets=("2K",), limit_usd=dollars)


def test_the_cheapest_come_first_and_what_does_not_fit_says_why(world: World) -> None:
    world.write(
        entry("dear", price=price(100 * CHEAP)),
        entry("cheap", price=price(CHEAP)),
        entry("free"),
        entry("unknown", settings={"base_url": "https://models.example/v1"}),
    )
    limited(world, 1.0)
    found = {one.name: one for one in world.look().standings}
    steps = {step.name: step for step in world.look().steps}
    assert set(steps) == {"cheap 2K", "free 2K"}
    assert steps["cheap 2K"].most == pytest.approx(MOST)
    assert (steps["cheap 2K"].limit_usd, steps["free 2K"].limit_usd) == (0.02, None)
    assert found["dear 2K"].state == "refused"
    assert found["dear 2K"].why == "it may cost $1.54, and $0.98 of the night's $1.00 are left"
    assert "what it costs is not known" in found["unknown 2K"].why
    world.goal = Goal(budgets=("2K",))
    assert len(world.look().steps) == 4, "without a limit, all are started"
    assert world.look().most is None


def test_two_looks_in_one_night_spend_the_limit_once(world: World) -> None:
    world.write(entry("one", price=price(CHEAP)), entry("two", price=price(CHEAP)))
    limited(world, 0.03)
    [step] = world.steps
    world.start(step)
    world.do(step)
    found = world.look()
    assert found.spent == 0.02
    assert [each.kind for each in found.steps] == ["judge"], "which costs nothing"
    assert {one.name: one.state for one in found.standings}["two 2K"] == "refused"
    world.night = NEXT
    assert "two 2K" in {each.name for each in world.look().steps}


def test_a_start_that_is_made_again_is_not_paid_again(world: World) -> None:
    world.write(entry("one", price=price(CHEAP)))
    limited(world, 0.03)
    [step] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    assert [attempts.begin(step, world.night)] == world.steps


def test_what_is_set_aside_stays_while_nobody_knows_what_came_of_the_start(world: World) -> None:
    world.write(entry("one", price=price(CHEAP)))
    limited(world, 0.03)
    [step] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    attempts.begin(step, world.night)
    attempts.begin(step.model_copy(update={"limit_usd": 0.01}), world.night)
    [kept] = attempts.reserved(world.night).values()
    assert kept == 0.02, "its run is at work within it"


def test_a_model_that_judges_is_paid_from_the_same_limit(world: World) -> None:
    world.write(entry("novel"), entry("judging", price=price(CHEAP), scheduled=False))
    world.goal = Goal(systems=(), budgets=("2K",), judges=("judging",), limit_usd=1.0)
    [step] = world.steps
    world.start(step)
    world.do(step)
    [judge] = world.steps
    assert (judge.kind, judge.limit_usd) == ("judge", 0.02)
    assert judge.most == pytest.approx(MOST), "a verdict may be as long as an answer"
    world.write(entry("novel"), entry("judging", scheduled=False, price=price(1e5)))
    found = {one.name: one.state for one in world.look().standings}
    assert found["novel 2K"] == "refused"


def step(name: str, most: float | None, kind: str = "evaluate") -> Standing:
    return Standing(
        name=name,
        state="to evaluate",
        step=Step.model_validate(
            {"kind": kind, "work": name, "fingerprint": name, "attempt": 1, "name": name}
            | {"systems": [name], "budgets": ["2K"], "arms": ["audio"], "pool": "cpu"}
            | {"quoted": most, "most": most}
        ),
    )


def test_what_finishes_something_begun_comes_before_what_is_cheap() -> None:
    given = [step("a", 0.5), step("b", 0.1), step("c", 0.8, "judge"), step("d", 0.1)]
    states = {one.name: one.state for one in within(given, 1.0, {"earlier": 0.05})}
    assert states == {"a": "refused", "b": "to evaluate", "c": "to evaluate", "d": "refused"}


@pytest.mark.parametrize("left", [0.4, 0.0, 12.0, None])
def test_what_is_left_of_a_step_that_may_be_at_work_frees_nothing(left: float | None) -> None:
    again, other = step("a", left), step("b", 9.5)
    assert again.step is not None
    [_, found] = within([again, other], 10.0, {again.step.key: 9.0})
    assert found.state == "refused"
    assert found.why == "it may cost $9.50, and $1.00 of the night's $10.00 are left"


def test_cents_are_not_lost_to_rounding() -> None:
    given = [step(str(at), 0.1) for at in range(10)]
    assert all(one.step for one in within(given, 1.0, {}))
