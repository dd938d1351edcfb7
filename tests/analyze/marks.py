"""Cubes of marks written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Scores
from voxmem.records import AnswerSpace, AskedQuestion, Gold, Response, Verdict
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype

PLAIN = Entrant(name="m0", system="m0")
BUDGETS = ("8K", "16K", "32K", "64K")


def question(question_id: str, *, gold: Gold | None = "tea", **fields: Any) -> AskedQuestion:
    """An information-extraction item about a voice, unless said otherwise."""
    given = {
        "family_id": question_id,
        "evidence_type": EvidenceType.SPEAKER_IDENTITY,
        "operation": Operation.INFORMATION_EXTRACTION,
        "subtype": next(iter(Subtype)),
        "source_operation": Operation.INFORMATION_EXTRACTION,
        "text": "What does this voice drink?",
        "query_timestamp": datetime(2025, 5, 9, 19, 5),
        "answer_type": AnswerType.CATEGORICAL,
        "space": AnswerSpace(),
        "expected_response": "insufficient_evidence" if gold is None else "answer",
        "evidence_session_ids": (),
    }
    return AskedQuestion(question_id=question_id, gold=gold, **(given | fields))


def scores(
    marks: Sequence[Sequence[Sequence[int]]],
    questions: Sequence[AskedQuestion] | None = None,
    entrants: Sequence[Entrant] | None = None,
    judge: str = "rule-1",
) -> Scores:
    """Entrants ``m0``, ``m1``, …; budgets 8K, 16K, …; questions ``q0``, ``q1``, …"""
    cube = np.array(marks, dtype=np.uint8)
    names = [f"m{at}" for at in range(cube.shape[0])]
    return Scores(
        tuple(entrants or (Entrant(name=name, system=name) for name in names)),
        BUDGETS[: cube.shape[1]],
        tuple(questions or (question(f"q{at}") for at in range(cube.shape[2]))),
        cube,
        judge,
    )


def scored_row(question_id: str, budget: str, status: str, **response: Any) -> Scored:
    """A response of ``m0`` and its verdict."""
    item = f"{question_id}_{budget}"
    given = {"system": "m0", "arm": "audio", "outcome": "ok", "text": "tea", "prompt_hash": "p"}
    said = Response(
        response_id=f"r {item}", item_id=item, question_id=question_id, budget=budget,
        **(given | response),
    )  # fmt: skip
    read = Verdict.model_validate(
        {"response_id": said.response_id, "item_id": item, "judge": "rule-1", "status": status}
    )
    return Scored(question(question_id), said, read)
