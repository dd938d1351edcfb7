"""Questions of any number in every cell, for tests of what is drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from voxmem.records import AnswerSpace, AskedQuestion
from voxmem.taxonomy import CELLS, AnswerType, Cell, Operation, Subtype

PAPER = (60, 55, 62, 60, 52, 55, 58, 57, 60, 62, 58, 30, 32, 34, 34)
"""About as many as VoxMem has in each of the 15 cells."""


def population(sizes: Sequence[int]) -> list[AskedQuestion]:
    """So many questions of each cell, in the paper's order of cells."""
    return [
        of_cell(cell, f"q_{at:02d}_{number:03d}")
        for at, (cell, size) in enumerate(zip(CELLS, sizes, strict=False))
        for number in range(size)
    ]


def of_cell(cell: Cell, name: str) -> AskedQuestion:
    refused = cell.operation is Operation.ANSWER_REFUSAL
    return AskedQuestion(
        question_id=name,
        family_id=f"fam_{name}",
        evidence_type=cell.evidence,
        operation=cell.operation,
        subtype=Subtype.COUNTING,
        source_operation=Operation.MULTI_SESSION_REASONING,
        text="How many?",
        query_timestamp=datetime(2025, 5, 1),
        answer_type=AnswerType.NUMBER,
        space=AnswerSpace(),
        expected_response="insufficient_evidence" if refused else "answer",
        gold=None if refused else 3,
        evidence_session_ids=(),
    )
