"""What ``voxmem evaluate`` is asked for: which systems, on which items, told how, within what."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.policy import PreflightPolicy
from voxmem.evaluate.predicted import predicted_system, predictions_of
from voxmem.evaluate.run import Run
from voxmem.evaluate.subset import Chosen, choose, drawn, parse
from voxmem.models.registry import create
from voxmem.prompts import Prompts
from voxmem.prompts import load as load_prompts
from voxmem.records import Record


class Job(Record):
    """Systems, budgets and arms over a release or a part of it."""

    systems: tuple[str, ...] = Field(min_length=1)
    budgets: tuple[str, ...] | None = None
    """``None``: all of the release."""
    arms: tuple[str, ...] = ("audio",)
    subset: tuple[str, ...] = ()
    """Terms of :mod:`voxmem.evaluate.subset`; none: every item."""
    limit_usd: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Of all its runs together, not counting what was paid before."""
    prompts: str | None = None
    """Folder with the four prompts; ``None``: voxmem's own."""
    preflight: PreflightPolicy = "refuse"

    @field_validator("systems", "budgets", "arms")
    @classmethod
    def _each_once(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        # A run that is counted twice would weigh twice in every table.
        return None if names is None else tuple(dict.fromkeys(names))

    def runs(self, rows: ReleaseRows) -> list[Run]:
        """One run per system, arm and budget that the subset has items of, in this order.

        Raises:
            UsageError: There is no such system, arm, budget or prompt folder, or the subset names
                what the release has not.
        """
        chosen = self.chosen(rows)
        asked = [name for name in self.budgets or budgets(rows) if _has(rows, name, chosen)]
        everything = [(budget, arm) for arm in self.arms for budget in asked]
        prompts = self.loaded_prompts()
        found: list[Run] = []
        for name in self.systems:
            predicted = predicted_system(rows, name)
            if predicted is None:
                system = create(name)
                found += [Run(rows, system, *at, prompts) for at in everything]
            else:
                there = predictions_of(rows, name) or ()
                found += [Run(rows, predicted, *at) for at in everything if at in there]
        return found

    def run_of(self, rows: ReleaseRows, system: str, budget: str, arm: str) -> Run:
        """One of its runs, of a system here or of imported predictions."""
        predicted = predicted_system(rows, system)
        if predicted is not None:
            return Run(rows, predicted, budget, arm)
        return Run(rows, create(system), budget, arm, self.loaded_prompts())

    def loaded_prompts(self) -> Prompts:
        """The prompts of its runs.

        Raises:
            UsageError: The folder, or one of its files, does not exist.
        """
        return load_prompts(Path(self.prompts) if self.prompts else None)

    def chosen(self, rows: ReleaseRows) -> Chosen | None:
        """The questions of the subset; ``None``: all.

        Raises:
            UsageError: It names what the release has not.
        """
        if not self.subset:
            return None
        return choose(parse(self.subset), rows.asked.values(), rows.histories)

    def questions(self, rows: ReleaseRows, budget: str) -> list[str]:
        """The ids of the questions to ask at a budget, in the order in which they are asked.

        Where money may run out, every first part is a stratified sample.
        """
        chosen = self.chosen(rows)
        wanted = [
            history.question_id
            for history in rows.histories
            if history.budget == budget and (chosen is None or chosen.has(history))
        ]
        subset = parse(self.subset) if self.subset else None
        if chosen is not None and subset is not None and subset.screening is not None:
            # In the order of the set: it is what stopping early rests on.
            return [name for name in chosen.question_ids if name in set(wanted)]
        if self.limit_usd is None:
            return wanted
        seed = subset.seed if subset else 1
        return [each.question_id for each in drawn((rows.asked[name] for name in wanted), seed)]


def _has(rows: ReleaseRows, budget: str, chosen: Chosen | None) -> bool:
    """Whether a subset has an item at a budget."""
    at = (history for history in rows.histories if history.budget == budget)
    return any(chosen is None or chosen.has(history) for history in at)


def budgets(rows: ReleaseRows) -> list[str]:
    """The reference budgets of a release, shortest first."""
    return list(dict.fromkeys(history.budget for history in rows.histories))
