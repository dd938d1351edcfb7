"""The strata that subsets are drawn by."""

from __future__ import annotations

from voxmem.records import AskedQuestion
from voxmem.taxonomy import Operation


def stratum_of(question: AskedQuestion) -> str:
    """The cell, and whether there is an answer, where a dataset's operation says otherwise."""
    cell = f"{question.operation}/{question.evidence_type}"
    refused = question.expected_response == "insufficient_evidence"
    plain = refused == (question.operation is Operation.ANSWER_REFUSAL)
    return cell if plain else f"{cell}/{question.expected_response}"
