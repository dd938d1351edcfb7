"""What is looked at as one: a model at one budget in one arm, or all controls together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run
from voxmem.keys import short
from voxmem.models.catalogue import entry_of
from voxmem.models.entry import Pool
from voxmem.quality.gates.conflicts import check_evaluable
from voxmem.reevaluation.goal import Goal

CONTROLS = "controls"


@dataclass(frozen=True)
class Work:
    """What one flow run evaluates, another judges, and so on."""

    name: str
    job: Job
    runs: tuple[Run, ...]
    pool: Pool = "cpu"
    is_control: bool = False

    @cached_property
    def key(self) -> str:
        """Of the runs: model and revision, release, budget, arm and prompts decide it."""
        return short("reevaluation", sorted(run.part for run in self.runs), digits=20)

    def questions(self, run: Run) -> list[str]:
        """Those that are asked of one of its runs."""
        return self.job.questions(run.rows, run.budget)


def all_work(rows: ReleaseRows, goal: Goal) -> Iterator[Work | tuple[str, str]]:
    """All that is wanted: the controls first, then the models in order, the shortest budgets first;
    of a model that cannot be run, its name and why.

    Args:
        goal: Checked (:meth:`Goal.check`).
    """
    if goal.systems:
        job = goal.job(*goal.systems)
        yield Work(CONTROLS, job, tuple(job.runs(rows)), is_control=True)
    for name in goal.wanted_models():
        entry = entry_of(name)
        assert entry is not None  # wanted models have one
        try:
            check_evaluable(rows.release.versions, {name, entry.model}, allowed=False)
            runs = goal.job(name).runs(rows)
        except UsageError as error:
            yield name, str(error)
            continue
        for run in runs:
            one = goal.job(name).model_copy(
                update={"budgets": (run.budget,), "arms": (run.arm_name,)}
            )
            yield Work(run.name, one, (run,), entry.runs_on)
