"""Questions and responses to judge."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from voxmem.query import Count, Open, Topic
from voxmem.records import AnswerSpace, Gold, Question, Response
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype


def build_question(
    answer_type: str = "categorical",
    gold: Gold | None = "rain",
    options: tuple[str, ...] = (),
    text: str = "What was heard?",
    expected: str = "answer",
) -> Question:
    return Question.model_validate(
        {
            "question_id": "q1",
            "family_id": "f1",
            "evidence_type": EvidenceType.ENVIRONMENTAL,
            "operation": Operation.INFORMATION_EXTRACTION,
            "subtype": Subtype.CONTEXT_TO_CUE,
            "source_operation": Operation.INFORMATION_EXTRACTION,
            "form": "sound",
            "text": text,
            "query": Count(of=Open(where=(Topic(topic="garden"),))),
            "asker": "p01",
            "query_timestamp": datetime(2025, 5, 9, 19, 5),
            "answer_type": AnswerType(answer_type),
            "space": AnswerSpace(options=options, closed=bool(options)),
            "expected_response": expected,
            "gold": gold,
            "evidence_session_ids": ("s1",),
        }
    )


def build_response(text: str | None, outcome: str = "ok") -> Response:
    return Response.model_validate(
        {
            "response_id": "r1",
            "item_id": "q1_8k",
            "question_id": "q1",
            "budget": "8K",
            "system": "s",
            "arm": "audio",
            "outcome": outcome,
            "text": text,
            "prompt_hash": "0" * 12,
        }
    )


@pytest.fixture(scope="session")
def make_question() -> Callable[..., Question]:
    return build_question


@pytest.fixture(scope="session")
def make_response() -> Callable[..., Any]:
    return build_response
