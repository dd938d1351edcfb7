"""The list of items, compact: one row a question, one sign an entrant and budget."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

import numpy as np

from voxmem.analyze.labels import gold_text, label
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.report.scripts import file_name
from voxmem.analyze.scores import Mark, Scores
from voxmem.records import AskedQuestion
from voxmem.taxonomy import EvidenceType, Operation, Subtype

SIGNS: dict[Mark, str] = {
    Mark.NOT_ASKED: "",
    Mark.ABSENT: "-",
    Mark.CORRECT: "c",
    Mark.INCORRECT: "i",
    Mark.UNPARSED: "u",
    Mark.JUDGE_ERROR: "j",
    Mark.FAILED: "f",
    Mark.REJECTED: "r",
    Mark.OUT_OF_SET: "o",
}
"""One letter for what became of a response."""


def item_index(
    scores: Scores, roster: Roster, held: Mapping[str, Collection[str]]
) -> dict[str, Any]:
    """What the list filters and shows.

    A question's signs are one string a budget with one of :data:`SIGNS` an entrant; ``None`` where
    the question has no item.

    Args:
        scores: Of the judge that leads.
        roster: Its entrants.
        held: Question → the budgets that it is asked at.
    """
    letters = np.array([SIGNS[mark] for mark in Mark])
    signs = letters[scores.marks]
    return {
        "budgets": list(scores.budgets),
        "entrants": [[one.name, roster.pages[one.name]] for one in scores.entrants],
        "evidence": _names(EvidenceType),
        "operations": _names(Operation),
        "subtypes": _names(Subtype),
        "questions": [
            _row(
                question,
                [
                    "".join(line) if budget in held.get(question.question_id, ()) else None
                    for budget, line in zip(scores.budgets, signs[:, :, at].T, strict=True)
                ],
            )
            for at, question in enumerate(scores.questions)
        ],
    }


def _names(kinds: type[StrEnum]) -> list[str]:
    return [label(kind) for kind in kinds]


def _row(question: AskedQuestion, signs: list[str | None]) -> list[Any]:
    return [
        question.question_id,
        file_name(question.question_id),
        question.text,
        list(EvidenceType).index(question.evidence_type),
        list(Operation).index(question.operation),
        list(Subtype).index(question.subtype),
        int(question.gold is None),
        gold_text(question.gold),
        signs,
    ]
