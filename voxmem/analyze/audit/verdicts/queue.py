"""Which responses are judged by people: every answer type, and above all what judges dispute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from voxmem.analyze.audit.answered import Answered, Unit, units
from voxmem.analyze.audit.sample import Sample, Stratum, draw
from voxmem.records import AskedQuestion, Verdict

COUNT = 200
"""Responses of a queue."""
REFUSAL = "refusal"
"""The group of answer refusal; every other is an answer type."""

Part = Literal["disputed", "correct", "incorrect", "unread"]
SHARES: dict[Part, int] = {"disputed": 2, "correct": 1, "incorrect": 1, "unread": 1}
"""Of the places of a group: half are of responses that judges read differently, as far as there
are so many; the others are shared evenly by what all judges call correct and incorrect."""


def population_of(answered: Answered) -> dict[str, Unit]:
    """All that could be drawn. A judge is shown no history, so the same words to the same question
    are one thing, whoever said them at whatever budget."""
    return units(answered.responses, lambda row: row.question_id)


def queue(answered: Answered, population: Mapping[str, Unit], count: int = COUNT) -> Sample:
    """The queue of a release, in the order in which it is labelled."""
    strata = {
        name: Stratum(
            group_of(answered.rows.asked[unit.shown.question_id]),
            _part([reading(unit, verdicts) for verdicts in answered.verdicts.values()]),
        )
        for name, unit in population.items()
    }
    return draw(strata, count, answered.rows.release.seed, {str(k): v for k, v in SHARES.items()})


def group_of(question: AskedQuestion) -> str:
    """The answer type, or :data:`REFUSAL`."""
    return REFUSAL if question.gold is None else question.answer_type.value


def reading(unit: Unit, verdicts: Mapping[str, Verdict]) -> str | None:
    """What a judge says of a response: "correct" or "incorrect", of the first of the same that it
    has read; ``None``: it has not, or its replies could not be read."""
    said = (verdicts.get(row.response_id) for row in unit.responses)
    read = (row.status for row in said if row and row.status in ("correct", "incorrect"))
    return next(read, None)


def _part(readings: list[str | None]) -> Part:
    said = {one for one in readings if one is not None}
    if len(said) > 1:
        return "disputed"
    return "correct" if said == {"correct"} else "incorrect" if said else "unread"
