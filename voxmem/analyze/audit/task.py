"""Responses as a task: what is common to labelling their verdicts and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from voxmem.analyze.audit.answered import Unit
from voxmem.analyze.audit.sample import Sample
from voxmem.analyze.labels import gold_text
from voxmem.evaluate.items import ReleaseRows
from voxmem.quality.labelling.records import L, Labels
from voxmem.quality.labelling.task import Page, Task
from voxmem.records import AskedQuestion, Response


class ResponseTask(Task[L]):
    """A queue of responses. Who gave a response, and what was said of it, is never shown.

    Args:
        rows: The release.
        units: All that could be drawn, by the response that is shown.
        sample: What was drawn.
        page: How it is shown.
        model: The row of a label.
    """

    COMMAND: str
    """"voxmem audit verdicts"."""

    def __init__(
        self,
        rows: ReleaseRows,
        units: Mapping[str, Unit],
        sample: Sample,
        page: Page,
        model: type[L],
    ) -> None:
        labels = Labels(rows.root.tables, model)
        name = rows.release.release_id
        super().__init__(name, self.COMMAND, page, model, labels, sample.queue)
        self.rows = rows
        self.units = units
        self.sample = sample
        self._unit_of = {
            row.response_id: shown for shown, unit in units.items() for row in unit.responses
        }

    @property
    def changed(self) -> str:
        return "the response was made again since: read it once more"

    def identity(self, subject: str) -> dict[str, str]:
        response = self._response(subject)
        return {
            "response_id": subject,
            "item_id": response.item_id,
            "sha256": text_hash(response),
        }

    def subject_of(self, row: L) -> str | None:
        """The response that is shown for all that are the same: a label of one is of all."""
        subject = super().subject_of(row)
        return None if subject is None else self._unit_of[subject]

    def card(self, subject: str) -> dict[str, Any]:
        response = self._response(subject)
        question = self.question(subject)
        return {
            "question": question.text,
            "options": list(_options(question)),
            "reference": gold_text(question.gold),
            "refusal": question.gold is None,
            "response": response.text,
        }

    def about(self, subject: str) -> dict[str, object]:
        shown = self.card(subject)
        return {
            "question": shown["question"],
            "options": " | ".join(shown["options"]),
            "reference": shown["reference"],
            "response": shown["response"],
        }

    def question(self, subject: str) -> AskedQuestion:
        """That a response answers."""
        return self.rows.asked[self._response(subject).question_id]

    def _response(self, subject: str) -> Response:
        unit = self.units[self._unit_of[subject]]
        return next(row for row in unit.responses if row.response_id == subject)


def _options(question: AskedQuestion) -> tuple[str, ...]:
    return question.space.options if question.space.closed else ()


def text_hash(response: Response) -> str:
    """Of what a response says."""
    return sha256((response.text or "").encode()).hexdigest()
