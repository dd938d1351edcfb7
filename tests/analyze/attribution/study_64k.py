"""A study built to the counts of Appendix E: 474 answerable items, ten models, one budget."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from tests.analyze.marks import question
from voxmem.analyze.attribution.records import ERROR_CLASSES, Attribution, Exclusion
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Study
from voxmem.records import AskedQuestion
from voxmem.taxonomy import OPERATION_OF, EvidenceType, Subtype

MODELS = 10
REFUSALS, EMPTY, CUT = 1595, 167, 162
OTHER_POINTS = 4
"""Errors that report a real value at the wrong point in time (Appendix E.3)."""
_COUNTS = json.loads((Path(__file__).parent / "errors_64k.json").read_text("utf-8"))


@cache
def study() -> Study:
    """The whole of it."""
    questions = tuple(_questions())
    places = {one.question_id: at for at, one in enumerate(questions)}
    marks = np.full((MODELS, 1, len(questions)), Mark.CORRECT, dtype=np.uint8)
    rows = list(_attributed(questions))
    rows += _excluded(questions, {(row.system, row.question_id) for row in rows})
    for row in rows:
        mark = Mark.FAILED if row.excluded == "empty" else Mark.INCORRECT
        marks[int(row.system), 0, places[row.question_id]] = mark
    entrants = tuple(Entrant(name=str(at), system=str(at)) for at in range(MODELS))
    scores = Scores(entrants, ("64K",), questions, marks, "gemini-3.7-flash")
    return Study(scores, attributions={"gemini-3.7-flash": tuple(rows)})


def _questions() -> Iterator[AskedQuestion]:
    for evidence, subtypes in _COUNTS["items"].items():
        for subtype, count in subtypes.items():
            for number in range(count):
                yield question(
                    f"{evidence} {subtype} {number}",
                    evidence_type=EvidenceType(evidence),
                    subtype=Subtype(subtype),
                    operation=OPERATION_OF[Subtype(subtype)],
                )


def _attributed(questions: tuple[AskedQuestion, ...]) -> Iterator[Attribution]:
    points = OTHER_POINTS
    for model, evidence, subtype, *counts in _COUNTS["errors"]:
        classes = [name for name, n in zip(ERROR_CLASSES, counts, strict=True) for _ in range(n)]
        for number, error_class in enumerate(classes):
            late = OPERATION_OF[Subtype(subtype)] == "temporal_evolution_tracking"
            other_point = late and error_class == "operation" and points > 0
            points -= other_point
            yield _row(model, f"{evidence} {subtype} {number}").model_copy(
                update={
                    "error_class": error_class,
                    "rule": "another point" if other_point else "operation failed",
                }
            )


def _excluded(
    questions: tuple[AskedQuestion, ...], taken: set[tuple[str, str]]
) -> Iterator[Attribution]:
    counts: dict[Exclusion, int] = {"refusal": REFUSALS, "empty": EMPTY, "cut": CUT}
    reasons = iter([name for name, n in counts.items() for _ in range(n)])
    free = (
        (model, one.question_id)
        for one in questions
        for model in range(MODELS)
        if (str(model), one.question_id) not in taken
    )
    for (model, name), reason in zip(free, reasons, strict=False):
        yield _row(model, name).model_copy(update={"excluded": reason})


def _row(model: int, question_id: str) -> Attribution:
    return Attribution(
        response_id=f"{model} {question_id}",
        item_id=f"{question_id}_64K",
        question_id=question_id,
        budget="64K",
        system=str(model),
        arm="audio",
        auditor="gemini-3.7-flash",
    )
