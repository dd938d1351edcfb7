"""Verdicts as a task."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from voxmem.analyze.audit.answered import Answered
from voxmem.analyze.audit.task import ResponseTask
from voxmem.analyze.audit.verdicts.queue import COUNT, population_of, queue
from voxmem.analyze.audit.verdicts.records import ALWAYS, RUBRIC, VerdictAudit
from voxmem.quality.labelling.task import Choice, Page

PAGE = Page(
    title="Audit of verdicts",
    asks="Who is judging?",
    things="responses",
    choices=(
        Choice("correct", "Correct", "1 c"),
        Choice("incorrect", "Incorrect", "2 i"),
        Choice("cannot_tell", "Cannot tell", "3 ?"),
    ),
    files=files(__package__).joinpath("static"),
)


class VerdictTask(ResponseTask[VerdictAudit]):
    """A queue of responses whose verdicts are checked.

    Args:
        answered: The responses, and the judges that are measured.
        count: Responses of the queue.
    """

    COMMAND = "voxmem audit verdicts"

    def __init__(self, answered: Answered, count: int = COUNT) -> None:
        population = population_of(answered)
        sample = queue(answered, population, count)
        super().__init__(answered.rows, population, sample, PAGE, VerdictAudit)

    def shown(self) -> dict[str, Any]:
        return {"rubric": RUBRIC, "always": ALWAYS}
