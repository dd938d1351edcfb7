"""The reconciler: the same look says the same, nothing is started twice, nothing without end."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.reevaluation.world import NEXT, NIGHT, World, entry, fails
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.preflight import Finding, Preflight, keep, needs_of
from voxmem.models.registry import Candidate, create
from voxmem.prompts import load
from voxmem.reevaluation import Attempts, Goal
from voxmem.reporting.history import history


def test_a_new_entry_goes_its_way_once(world: World) -> None:
    assert world.walk() == ["report"], "the controls are there, and no model is scheduled"
    world.write(entry("novel"), entry("idle", scheduled=False))
    first = world.look()
    assert [(step.kind, step.name, step.pool) for step in first.steps] == [
        ("evaluate", "novel 2K", "cpu")
    ]
    assert world.look() == first
    [step] = first.steps
    world.start(step)
    assert world.states_now() == {
        "controls": "settled",
        "novel 2K": "waiting",
        "report": "settled",
    }
    world.do(step)
    assert world.walk() == ["judge", "attribute", "report"]
    assert set(world.states_now().values()) == {"settled"}
    assert [sorted(set(one.entrants) & {"novel"}) for one in history(world.rows)] == [[], ["novel"]]


def test_another_revision_is_another_evaluation(world: World) -> None:
    world.write(entry("novel", revision="a"))
    [step] = world.steps
    world.walk()
    world.write(entry("novel", revision="b"))
    [other] = world.look().steps
    assert (other.kind, other.attempt) == ("evaluate", 1)
    assert other.fingerprint != step.fingerprint
    assert other.work != step.work


def test_a_larger_subset_begins_at_its_first_attempt(world: World) -> None:
    world.write(entry("novel"))
    world.goal = Goal(budgets=("2K",), subset=("evidence:speech_semantics",))
    [part] = world.steps
    world.goal = Goal(budgets=("2K",))
    [whole] = world.steps
    assert part.work == whole.work
    assert part.key != whole.key


def test_attempts_are_numbered_and_capped(world: World) -> None:
    world.write(entry("novel"))
    keys = []
    for number, night in ((1, NIGHT), (2, NIGHT), (3, NEXT)):
        world.night = night
        [step] = world.steps
        assert step.attempt == number
        keys.append(world.start(step))
        assert world.steps == [], "it has not ended"
        world.states[step.key] = "unknown"
        assert world.steps == [], "nobody knows whether it has ended"
        world.states[step.key] = "ended"
    assert len(set(keys)) == 3
    assert world.states_now()["novel 2K"] == "over the attempts"
    world.goal = world.goal.model_copy(update={"most_attempts": 4})
    assert [step.attempt for step in world.steps] == [4]


def test_what_failed_twice_in_a_night_goes_on_the_next(world: World) -> None:
    world.write(entry("novel"))
    world.goal = Goal(budgets=("2K",), most_attempts=5)
    numbers = []
    for night in (NIGHT, NEXT):
        world.night = night
        while world.steps:
            [step] = world.steps
            numbers.append(step.attempt)
            world.start(step)
            world.do(step, fails)
        [found] = [one for one in world.look().standings if one.name == "novel 2K"]
        assert found.state == "tried tonight"
        assert found.why == "evaluate was started 2 times in this night and is not settled"
    assert numbers == [1, 2, 3, 4]


def test_a_night_in_which_a_worker_died_once_goes_on(world: World) -> None:
    world.write(entry("novel"))
    [step] = world.steps
    world.start(step)
    world.states[step.key] = "ended"
    [again] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    again = attempts.begin(again, world.night)
    assert world.steps == [again], "its flow run nobody was told of"
    world.start(again)
    world.do(again)
    assert world.walk() == ["judge", "attribute", "report"]


def test_what_was_answered_before_the_attempts_were_over_is_judged(world: World) -> None:
    world.write(entry("novel"))
    for night in (NIGHT, NIGHT, NEXT):
        world.night = night
        [step] = world.steps
        world.start(step)
        world.do(step, fails)
    assert world.walk() == ["judge", "report"], "an error is no answer whose error could be traced"
    assert world.states_now()["novel 2K"] == "over the attempts"


def test_a_start_that_nobody_was_told_of_is_made_again_under_its_key(world: World) -> None:
    world.write(entry("novel"))
    [step] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    assert [attempts.begin(step, world.night)] == world.steps


def test_attempts_that_were_forgotten_are_not_those_that_follow(world: World) -> None:
    world.write(entry("novel"))
    [step] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    first = attempts.begin(step, world.night)
    shutil.rmtree(world.rows.root.path / "reevaluation")
    assert world.steps == [step]
    second = attempts.begin(step, world.night)
    assert (first.attempt, second.attempt) == (1, 1)
    assert first.key != second.key


def test_a_model_that_failed_preflight_is_excluded_where_it_failed(world: World) -> None:
    world.write(entry("novel"))
    world.goal = Goal(budgets=("2K", "4K"))
    system = create("novel")
    assert isinstance(system, Candidate)
    keep(
        world.rows.root,
        Preflight(
            system=system.name,
            fingerprint=system.fingerprint,
            adapter=system.adapter,
            needs=needs_of(world.rows, ["2K", "4K"], load()),
            findings=(
                Finding(
                    check="context",
                    status="failed",
                    means="refused",
                    detail="9000 tokens, and 8192 fit",
                    budget="4K",
                ),
            ),
            requests=1,
            dollars=None,
        ),
    )
    found = {one.name: one for one in world.look().standings}
    assert found["novel 2K"].state == "to evaluate"
    assert found["novel 4K"].state == "excluded"
    assert "9000 tokens, and 8192 fit" in found["novel 4K"].why
    assert found["novel 4K"].step is None


def test_text_is_not_told_aloud_and_a_local_model_goes_where_a_gpu_is(world: World) -> None:
    loaded = entry("loaded", backend="transformers", settings={}, family="qwen2-audio")
    world.write(entry("reading", group="text"), loaded, entry("moved", pool="gpu-lalm"))
    found = {one.name: one for one in world.look().standings}
    assert found["reading 2K"].state == "excluded"
    pools = {step.name: step.pool for step in world.look().steps}
    assert pools == {"loaded 2K": "gpu-lalm", "moved 2K": "gpu-lalm"}


def test_a_run_of_days_holds_no_report_up_and_makes_one_a_night(world: World) -> None:
    world.write(entry("quick"), entry("slow"))
    quick, slow = world.look().steps
    world.start(slow)
    world.start(quick)
    world.do(quick)
    assert world.walk() == ["judge", "attribute", "report"]
    assert world.states_now() == {
        "controls": "settled",
        "quick 2K": "settled",
        "slow 2K": "waiting",
        "report": "settled",
    }
    world.write(entry("quick"), entry("slow"), entry("third"))
    [third] = world.look().steps
    world.start(third)
    world.do(third)
    assert world.walk() == ["judge", "attribute"]
    assert world.states_now()["report"] == "waiting"
    world.night = NEXT
    assert world.walk() == ["report"]


def test_what_is_not_there_is_refused_before_anything_is_started(world: World) -> None:
    world.catalogue.write_text("models: {")
    with pytest.raises(InputError, match=r"models\.yaml: cannot be read"):
        world.look()
    world.write(entry("novel"), entry("novel"))
    with pytest.raises(InputError, match="entry 2: the name 'novel' is taken"):
        world.look()
    world.write()
    for wrong, said in (
        ({"models": ("nobody",)}, "nobody: there is no such model"),
        ({"systems": ("nobody",)}, "nobody: no such system"),
        ({"budgets": ("3K",)}, "no budget '3K'"),
        ({"arms": ("smoke",)}, "smoke"),
        ({"judges": ("nobody",)}, "no judge named 'nobody'"),
        ({"auditors": ("nobody",)}, "no auditor named 'nobody'"),
    ):
        world.goal = Goal(**wrong)
        with pytest.raises(UsageError, match=said):
            world.look()


@pytest.mark.parametrize(
    ("where", "damaged"),
    [
        ("nights", {"a": "x"}),
        ("nights", {"a": float("nan")}),
        ("nights", {"a": -5.0}),
        ("nights", 3),
        ("work", []),
        ("work", {"name": "controls", "attempts": [{"kind": "evil"}]}),
    ],
)
def test_damaged_records_stop_a_night_and_lift_no_limit(
    world: World, where: str, damaged: object
) -> None:
    world.write(entry("novel"))
    [step] = [step for step in world.look().steps if step.name == "novel 2K"]
    release = world.rows.release.release_id
    name = f"nights/{NIGHT}" if where == "nights" else f"{release}/{step.work}"
    path = world.rows.root.path / "reevaluation" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(damaged))
    with pytest.raises(InputError, match=f"{name}: this record of what was started is damaged"):
        world.look()
