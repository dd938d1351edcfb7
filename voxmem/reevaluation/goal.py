"""What is to be kept up to date on a release."""

from __future__ import annotations

from pydantic import Field

from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.errors import UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job, budgets
from voxmem.evaluate.policy import PreflightPolicy
from voxmem.models.catalogue import catalogue, entry_of
from voxmem.models.registry import create
from voxmem.records import Record
from voxmem.score import EMBEDDED, judge_of


class Goal(Record):
    """Which systems are to be evaluated, judged, attributed and reported, and within what."""

    models: tuple[str, ...] = ()
    """Models, or systems over them (``NAME@MODEL``); none: all models that are scheduled."""
    systems: tuple[str, ...] = EMBEDDED.systems
    """Controls, beside the models."""
    budgets: tuple[str, ...] | None = None
    arms: tuple[str, ...] = Field(default=("audio",), min_length=1)
    subset: tuple[str, ...] = ()
    prompts: str | None = None
    preflight: PreflightPolicy = "refuse"
    judges: tuple[str, ...] = Field(default=("rule",), min_length=1)
    """The first one leads."""
    auditors: tuple[str, ...] = ("rule",)
    limit_usd: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Of one night, whatever is started in it."""
    most_attempts: int = Field(default=3, ge=1)
    """Of one step, over all nights."""

    def job(self, *systems: str) -> Job:
        """The evaluation of some systems."""
        return Job(
            systems=systems,
            budgets=self.budgets,
            arms=self.arms,
            subset=self.subset,
            prompts=self.prompts,
            preflight=self.preflight,
        )

    def check(self, rows: ReleaseRows) -> None:
        """Asserts that all that it names is there: before anything is started.

        Raises:
            UsageError: There is no such system, model, budget, arm, judge, auditor or folder, or
                the subset names what the release has not.
        """
        for system in self.systems:
            create(system)
        self.wanted_models()
        known = budgets(rows)
        for budget in self.budgets or ():
            if budget not in known:
                raise UsageError(
                    f"the release has no budget {budget!r}",
                    stage="reevaluate",
                    remedy=f"choose one of: {', '.join(known)}",
                )
        for arm in self.arms:
            arm_named(arm)
        job = self.job("abstain")
        job.chosen(rows)
        for judge in self.judges:
            judge_of(job, judge)
        for auditor in self.auditors:
            make_auditor(auditor)

    def wanted_models(self) -> tuple[str, ...]:
        """The models by name, in the order of the catalogue where none is named.

        Raises:
            UsageError: There is no such model.
        """
        entries = catalogue()
        unknown = [name for name in self.models if entry_of(name) is None]
        if unknown:
            raise UsageError(
                "there is no such model in the catalogue",
                item=unknown[0],
                stage="reevaluate",
                remedy="voxmem models list shows them; voxmem models register adds one",
            )
        return self.models or tuple(name for name, entry in entries.items() if entry.scheduled)
