"""Errors as a task."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from typing import Any

from voxmem.analyze.attribution.markup import asked, marked_up
from voxmem.analyze.audit.answered import units
from voxmem.analyze.audit.errors.attributed import Attributed
from voxmem.analyze.audit.errors.conversation import audible, conversation, item_of
from voxmem.analyze.audit.errors.records import CLASSES, HumanClass
from voxmem.analyze.audit.sample import Stratum, draw
from voxmem.analyze.audit.task import ResponseTask
from voxmem.analyze.labels import label
from voxmem.quality.labelling.task import Audio, Choice, Page
from voxmem.records import AskedQuestion, History

COUNT = 100
"""Errors of a queue."""

PAGE = Page(
    title="Audit of errors",
    asks="Who is auditing?",
    things="errors",
    choices=(
        Choice("recognition", "Recognition", "1 r"),
        Choice("binding", "Binding", "2 b"),
        Choice("operation", "Operation", "3 o"),
        Choice("unsupported", "Unsupported", "4 u"),
        Choice("not_attributable", "Not wrong", "5 n"),
        Choice("cannot_tell", "Cannot tell", "6 ?"),
    ),
    files=files(__package__).joinpath("static"),
)


class ErrorTask(ResponseTask[HumanClass]):
    """A queue of wrong responses: as many of each evidence type and operation, as far as there are.

    The same words to the same item are one error, whoever said them.

    Args:
        attributed: The errors, and the auditors that are measured.
        count: Errors of the queue.
    """

    COMMAND = "voxmem audit errors"

    def __init__(self, attributed: Attributed, count: int = COUNT) -> None:
        rows = attributed.rows
        responses = (row.response for row in attributed.errors)
        population = units(responses, lambda row: row.item_id)
        strata = {
            name: Stratum(cell_of(rows.asked[unit.shown.question_id]))
            for name, unit in population.items()
        }
        sample = draw(strata, count, rows.release.seed)
        super().__init__(rows, population, sample, PAGE, HumanClass)

    def shown(self) -> dict[str, Any]:
        return {"classes": CLASSES}

    def card(self, subject: str) -> dict[str, Any]:
        question = self.question(subject)
        kind = [label(question.evidence_type), label(question.operation), label(question.subtype)]
        return {**super().card(subject), "kind": kind, "budget": self._history(subject).budget}

    def details(self, subject: str) -> dict[str, Any]:
        return conversation(self.rows, self._history(subject))

    def about(self, subject: str) -> dict[str, object]:
        item = item_of(self.rows, self._history(subject))
        return {
            **super().about(subject),
            "question": asked(item),
            "subtype": item.question.subtype.value,
            "conversation": marked_up(item),
        }

    @cached_property
    def audible(self) -> dict[str, str]:
        """SHA-256 → media type."""
        found: dict[str, str] = {}
        for name in self.queue:
            found |= audible(self.rows, self._history(name))
        return found

    def audio(self, sha: str) -> Audio:
        return Audio(self.rows.root.objects.get(sha), self.audible[sha])

    def _history(self, subject: str) -> History:
        return self._histories[self.identity(subject)["item_id"]]

    @cached_property
    def _histories(self) -> dict[str, History]:
        return {history.item_id: history for history in self.rows.histories}


def cell_of(question: AskedQuestion) -> str:
    """Evidence type and operation."""
    return f"{question.evidence_type.value}/{question.operation.value}"
