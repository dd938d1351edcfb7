"""The list of items, compact: one row a question, one sign a system and budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.labels import gold_text, label
from voxmem.analyze.report.results import Results
from voxmem.analyze.report.scripts import file_name
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import AskedQuestion
from voxmem.taxonomy import EvidenceType, Operation, Subtype

NO_RESPONSE = "-"


def item_index(rows: ReleaseRows, scored: Sequence[Scored], results: Results) -> dict[str, Any]:
    """What the list filters and shows.

    A question's ``signs`` are one string a budget with one sign a system: ``c`` right, ``i``
    wrong, ``f`` the generation failed, ``u`` no verdict that could be read, ``-`` no response,
    and an empty string where the question has no item.
    """
    signs = {
        (row.response.question_id, row.response.budget, row.response.system): sign(row)
        for row in scored
    }
    held: dict[str, set[str]] = {}
    for history in rows.histories:
        held.setdefault(history.question_id, set()).add(history.budget)
    return {
        "budgets": results.budgets,
        "systems": results.systems,
        "evidence": _names(EvidenceType),
        "operations": _names(Operation),
        "subtypes": _names(Subtype),
        "questions": [
            _row(
                question,
                [
                    "".join(
                        signs.get((question_id, budget, system), NO_RESPONSE)
                        for system in results.systems
                    )
                    if budget in held.get(question_id, ())
                    else ""
                    for budget in results.budgets
                ],
            )
            for question_id, question in rows.asked.items()
        ],
    }


def sign(row: Scored) -> str:
    """One letter for what became of a response."""
    if row.verdict.status in ("correct", "incorrect"):
        return row.verdict.status[0]
    return "f" if row.response.outcome not in ("ok", "truncated") else "u"


def _names(kinds: type[EvidenceType] | type[Operation] | type[Subtype]) -> list[str]:
    return [label(kind) for kind in kinds]


def _row(question: AskedQuestion, signs: list[str]) -> list[Any]:
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
