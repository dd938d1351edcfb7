"""A release whose steps are started and done by hand, as a workflow server and workers would."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.test_score import opened
from voxmem import reporting, score
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run, keep
from voxmem.evaluate.runner import items_of
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.reevaluation import Attempts, Goal, Plan, RunState, Step, plan

NIGHT, NEXT = "2026-12-01", "2026-12-02"
CHEAP = 1.0
"""Dollars of a million output tokens: the longest answer is 1024 tokens, an item $0.001024."""


def price(output: float) -> dict[str, Any]:
    return {
        "as_of": "2026-11-30",
        "source": "a test",
        "tiers": [{"input_text": 0.0, "input_audio": 0.0, "output": output}],
    }


def entry(name: str, **changes: Any) -> dict[str, Any]:
    """A scheduled model behind a server that costs nothing."""
    return {
        "name": name,
        "title": name,
        "family": "local",
        "group": "proprietary",
        "backend": "openai",
        "model": "m",
        "scheduled": True,
        "proof": {"status": "not proved", "by": "a test"},
        "settings": {"base_url": "http://127.0.0.1:9/v1"},
        **changes,
    }


def may(item: Item) -> Reply:
    """Answers, and is mostly wrong."""
    return Reply(outcome="ok", text="in May")


def fails(item: Item) -> Reply:
    return Reply(outcome="error", error="HTTP 500")


@dataclass
class World:
    """One root, what runs in it, and what is wanted."""

    rows: ReleaseRows
    catalogue: Path
    goal: Goal = field(default_factory=lambda: Goal(budgets=("2K",)))
    states: dict[str, RunState] = field(default_factory=dict)
    night: str = NIGHT

    def write(self, *entries: dict[str, Any]) -> None:
        """The catalogue of one's own."""
        self.catalogue.write_text(json.dumps({"models": entries}))

    def look(self) -> Plan:
        return plan(self.rows, self.goal, night=self.night, state_of=self.states.__getitem__)

    @property
    def steps(self) -> list[Step]:
        """What is to be started of models and controls, leaving the report aside."""
        return [step for step in self.look().steps if step.kind != "report"]

    def states_now(self) -> dict[str, str]:
        return {one.name: one.state for one in self.look().standings}

    def start(self, step: Step) -> str:
        """Starts a step; returns its flow run, which is at work."""
        attempts = Attempts(self.rows.root, self.rows.release.release_id)
        attempts.begin(step, self.night)
        attempts.started(step, self.night, step.key)
        self.states[step.key] = "running"
        return step.key

    def do(
        self, step: Step, reply: Callable[[Item], Reply] = may, first: int | None = None
    ) -> None:
        """What a worker makes of a step, or of the first items of an evaluation. It ends."""
        job = Job(systems=step.systems, budgets=step.budgets or None, arms=step.arms)
        for run in () if step.kind == "report" else job.runs(self.rows):
            self._do(step, run, reply, first)
        if step.kind == "report":
            out = str(self.rows.root.path / "report")
            reporting.publish_report(self.rows, job, reporting.Wanted(), out, day=self.night)
        self.states[step.key] = "ended"

    def _do(self, step: Step, run: Run, reply: Callable[[Item], Reply], first: int | None) -> None:
        judge = score.judge_of(score.EMBEDDED, "rule")
        if step.kind == "evaluate":
            keep(run, [run.row(item, reply(item)) for item in items_of(run)[:first]])
        elif step.kind == "judge":
            score.judge_responses(run, judge)
        else:
            score.attribute_errors(run, judge, make_auditor("rule"))

    def walk(self) -> list[str]:
        """Starts and does all that comes up, look by look; returns the kinds, in order."""
        walked: list[str] = []
        while steps := self.look().steps:
            for step in steps:
                self.start(step)
                self.do(step)
            walked += [step.kind for step in steps]
        return walked


def world(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A finished demo of the controls, and an empty catalogue of one's own."""
    made = World(opened(root), folder / "models.yaml")
    made.write()
    monkeypatch.setenv("VOXMEM_MODELS", str(made.catalogue))
    return made
