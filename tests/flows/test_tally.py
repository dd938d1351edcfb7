"""Task runs, counted before anything runs: as many as there then are, and never too many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows import tally
from flows.judge import judge
from flows.params import ConstructParams, EvaluateParams, JudgeParams
from flows.tally import MOST, Tally, construction, evaluation, in_turn, readings, split
from tests.demo_in_tones import DEMO
from tests.flows.test_flows import tasks_of
from voxmem.build import Build
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.models.catalogue import catalogue
from voxmem.store.root import open_root

ARMS = ["audio", "transcript", "shuffled", "evidence", "wrong-cues"]
MODELS = [each.name for each in catalogue().values() if each.group != "text"]


def counts(found: list[Tally]) -> dict[str, tuple[int, int]]:
    return {each.flow_run: (each.task_runs, each.runs) for each in found}


def test_a_construction_is_counted_as_it_runs(finished_demo: Path) -> None:
    """tests/flows/test_flows.py::test_the_whole_road holds the same numbers against the server."""
    chunks = len(Build(open_root(finished_demo), DEMO).chunks)
    params = ConstructParams(root=str(finished_demo), custom=DEMO)
    assert counts(construction(params)) == {
        "construct": (7, 1),
        "speak": (chunks, 1),
        "gate": (3, 1),
        "publish": (1, 1),
    }
    elsewhere = params.model_copy(update={"speak_on": "speak/cpu", "speak_runs": 3})
    assert counts(construction(elsewhere))["construct"] == (9, 1)
    assert counts(construction(elsewhere))["speak"] == (-(-chunks // 3), 3)
    assert counts(construction(params.model_copy(update={"text_only": True})))["construct"][0] == 5


@pytest.mark.parametrize("preset", ["demo", "small", "paper"])
def test_no_flow_run_of_a_preset_has_too_many(preset: Any, tmp_path: Path) -> None:
    found = construction(ConstructParams(root=str(tmp_path), preset=preset))
    assert max(each.task_runs for each in found) <= MOST


def test_no_flow_run_over_all_models_has_too_many(finished_demo: Path) -> None:
    rows = open_release(str(finished_demo), "demo")
    params = JudgeParams(root=str(finished_demo), systems=MODELS, arms=ARMS, spread=8)
    asked = evaluation(rows, params.model_copy(update={"on_pools": True}))
    judged = readings("judge", rows, params, readers=9)
    assert [each.task_runs for each in judged] == [len(MODELS), 2 * 5 * 9]
    assert max(each.task_runs for each in [*asked, *judged]) <= MOST
    assert sum(each.runs for each in asked if each.flow_run == "evaluate-run") == (
        len(MODELS) * 2 * 5 * 8
    )


class Splitting:
    """A flow that splits as ours do, and notes how many task runs each of its runs has."""

    def __init__(self, rows: ReleaseRows, each: int) -> None:
        self.rows, self.each = rows, each
        self.task_runs: list[int] = []
        self.asked: list[tuple[str, float | None]] = []

    def __call__(self, params: JudgeParams) -> list[dict[str, float]]:
        runs = params.job.runs(self.rows)
        whole = split("judge", params, runs, lambda run: self.each)
        self.task_runs.append(whole.task_runs)
        if whole.parts:
            return in_turn(self, whole.parts)
        self.asked += [(run.name, params.limit_usd) for run in runs]
        return [{"new_dollars": 1.0} for _ in runs]


@pytest.mark.parametrize(
    ("each", "levels"),
    [
        (1, [(20, 1)]),
        (2, [(40, 1)]),
        (3, [(2, 1), (30, 2)]),
        (5, [(2, 1), (5, 2), (10, 10)]),
        (25, [(2, 1), (5, 2), (2, 10), (25, 20)]),
    ],
)
def test_a_job_is_split_until_no_flow_run_has_too_many(
    finished_demo: Path,
    monkeypatch: pytest.MonkeyPatch,
    each: int,
    levels: list[tuple[int, int]],
) -> None:
    monkeypatch.setattr(tally, "MOST", 40)
    rows = open_release(str(finished_demo), "demo")
    params = JudgeParams(root=str(finished_demo), systems=["abstain", "oracle"], arms=ARMS)
    flow = Splitting(rows, each)
    assert len(flow(params)) == 20
    names = [name for name, _ in flow.asked]
    assert sorted(names) == sorted(run.name for run in params.job.runs(rows)), "each of them once"
    assert max(flow.task_runs) <= tally.MOST
    plan = readings("judge", rows, params, each)
    assert plan == [Tally("judge", most, runs) for most, runs in levels]
    assert len(flow.task_runs) == sum(line.runs for line in plan)


def test_parts_share_a_limit(finished_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "MOST", 5)
    rows = open_release(str(finished_demo), "demo")
    params = JudgeParams(root=str(finished_demo), systems=["oracle"], arms=ARMS, limit_usd=20.0)
    flow = Splitting(rows, 3)
    flow(params)
    assert [left for _, left in flow.asked] == [20.0 - done for done in range(10)]


def test_one_run_that_has_too_many_is_refused_at_once(finished_demo: Path) -> None:
    rows = open_release(str(finished_demo), "demo")
    params = JudgeParams(root=str(finished_demo), systems=["abstain", "oracle"], arms=ARMS)
    flow = Splitting(rows, MOST + 1)
    with pytest.raises(UsageError, match=r"501 task runs .* name fewer systems, judges"):
        flow(params)
    assert flow.asked == []


def test_an_arm_in_many_shares_is_a_flow_run_of_its_own(finished_demo: Path) -> None:
    rows = open_release(str(finished_demo), "demo")
    params = EvaluateParams(root=str(finished_demo), systems=[MODELS[0], "abstain"], arms=ARMS)
    spread = params.model_copy(update={"on_pools": True, "spread": 64})
    assert evaluation(rows, spread)[:3] == [
        Tally("evaluate", 2),
        Tally("evaluate", 10, 2),
        Tally("evaluate", 2 * 64, 5),
    ]
    assert evaluation(rows, params)[0] == Tally("evaluate", 20), "shares are for work pools"
    part = spread.model_copy(update={"systems": ["abstain"], "arms": ["evidence"]})
    assert part.label == "abstain-evidence-demo"


@pytest.mark.flow
def test_what_would_be_too_many_is_a_flow_run_for_each_system(
    prefect_api: None, own_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tally, "MOST", 3)
    rows = open_release(str(own_demo), "demo")
    params = JudgeParams(root=str(own_demo), systems=["abstain", "oracle"])
    plan = readings("judge", rows, params, readers=1)
    assert plan == [Tally("judge", 2), Tally("judge", 2, 2)]
    found = judge(params)
    assert [each.run for each in found] == ["abstain 2K", "abstain 4K", "oracle 2K", "oracle 4K"]
    assert {task.name for task in tasks_of("judge-oracle-demo", 2)} == {
        f"judge-oracle-{budget}-audio-by-rule" for budget in ("2K", "4K")
    }, "its name says whose it is"


def test_a_line_of_a_tally() -> None:
    assert str(Tally("speak", 360)) == "speak: at most 360 task runs"
    assert str(Tally("evaluate-run", 64, 1_200)) == "1,200 × evaluate-run: at most 64 task runs"
