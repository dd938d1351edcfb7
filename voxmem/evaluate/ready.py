"""Whether a model may be run, found out once: what preflight says of it, for every row to carry."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from voxmem.errors import UsageError
from voxmem.evaluate import preflight
from voxmem.evaluate.policy import PreflightPolicy
from voxmem.evaluate.run import Run
from voxmem.models.catalogue import catalogue
from voxmem.models.entry import ModelEntry
from voxmem.models.registry import Candidate

WRITTEN = ("transcript", "transcript-no-abstention", "transcript+cues", "wrong-cues")
"""The arms without any audio."""
SKIPPED = "preflight: skipped"


def labels(run: Run, budgets: Sequence[str], policy: PreflightPolicy) -> tuple[str, ...]:
    """What every row of a run says of its model. Tries the model out if nobody has yet.

    Memory systems, and models of text alone, are not tried.

    Args:
        run: Of the model.
        budgets: All that it will be run at: it is tried with the longest history of them.
        policy: What follows if it fails.

    Raises:
        UsageError: It failed, and ``policy`` is to refuse; or its settings are wrong.
        ModelError: A probe was not answered.
    """
    entry = catalogue().get(run.system.name)
    candidate = run.system
    if entry is not None and entry.group == "text" and isinstance(candidate, Candidate):
        _check_written(run)
    if entry is None or not isinstance(candidate, Candidate) or not _is_tried(run, entry):
        return ()
    if policy == "skip":
        return (SKIPPED,)
    found = _known(run, candidate, budgets)
    if found is None:
        found = asyncio.run(
            preflight.once(
                run.rows.root,
                candidate,
                entry,
                needs=preflight.needs_of(run.rows, budgets, run.prompts),
                longest=preflight.longest_told(run.rows, budgets, run.prompts),
            )
        )
    if policy == "refuse":
        found.require(run.budget)
    refused = tuple(f"preflight: {each}" for each in found.refusals(run.budget))
    return (*refused, *found.labels(run.budget))


def check_known(run: Run, budgets: Sequence[str]) -> None:
    """Asserts that an earlier preflight does not refuse the model of a run, and that one of text
    alone is not told anything aloud, so that a command need not start anything to find out.

    Raises:
        UsageError: It does, or is.
    """
    entry = catalogue().get(run.system.name)
    if entry is not None and entry.group == "text" and isinstance(run.system, Candidate):
        _check_written(run)
    if entry is None or not isinstance(run.system, Candidate) or not _is_tried(run, entry):
        return
    found = _known(run, run.system, budgets)
    if found is not None:
        found.require(run.budget)


def _is_tried(run: Run, entry: ModelEntry) -> bool:
    """Whether a run needs a model that hears."""
    return entry.group != "text" and run.arm_name not in WRITTEN


def _known(run: Run, candidate: Candidate, budgets: Sequence[str]) -> preflight.Preflight | None:
    needs = preflight.needs_of(run.rows, budgets, run.prompts)
    return preflight.found(run.rows.root, candidate, needs)


def _check_written(run: Run) -> None:
    if run.arm_name not in WRITTEN:
        raise UsageError(
            f"it reads text, and the arm {run.arm_name} tells items aloud",
            item=run.system.name,
            stage="evaluate",
            remedy=f"choose an arm of {', '.join(WRITTEN)}, or cascade@{run.system.name}",
        )
