"""What is to be reported: whose reading of which runs, and under which choices."""

from __future__ import annotations

from pydantic import Field

from voxmem import score
from voxmem.analyze.study import Choices
from voxmem.evaluate.arms import ARMS
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.predicted import imported_predictions
from voxmem.evaluate.run import TABLE
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import SYSTEMS
from voxmem.records import Record


class Wanted(Record):
    """Whose reading of the responses is reported, and how."""

    judges: tuple[str, ...] = Field(default=("rule",), min_length=1)
    """The first one leads."""
    choices: Choices = Field(default_factory=Choices)


def everything(rows: ReleaseRows, job: Job, *, systems: bool, arms: bool) -> Job:
    """The same job over what has left responses on a release.

    Systems that ask a model of the catalogue (``NAME@MODEL``) must be named.

    Args:
        systems: Over all such systems, instead of those of the job.
        arms: Over all such arms, likewise.
    """
    names = (*score.EMBEDDED.systems, *SYSTEMS, *catalogue(), *imported_predictions(rows))
    asked = job.model_copy(
        update={
            **({"systems": tuple(dict.fromkeys(names))} if systems else {}),
            **({"arms": tuple(ARMS)} if arms else {}),
        }
    )
    there = [run for run in asked.runs(rows) if rows.root.tables.has(TABLE, run.part)]
    if not there:
        return job
    return asked.model_copy(
        update={
            "systems": tuple(dict.fromkeys(run.system.name for run in there)),
            "arms": tuple(dict.fromkeys(run.arm_name for run in there)),
        }
    )
