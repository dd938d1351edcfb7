"""What a published item asks, as far as its own row says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from voxmem.errors import InputError
from voxmem.interop.official.golds import gold_of, gold_value
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.spellings import (
    EVIDENCE,
    OPERATIONS,
    answer_type,
    is_known_answer_type,
    plain,
    spelled,
    subtype,
)
from voxmem.keys import short
from voxmem.records import AnswerSpace, AskedQuestion, Gold
from voxmem.taxonomy import OPERATION_OF, SUBTYPES, AnswerType, EvidenceType, Operation, Subtype


@dataclass(frozen=True)
class Asked:
    """A question without its pair."""

    item: OfficialItem
    """A row of it; its history does not matter."""
    evidence: EvidenceType
    subtype: Subtype | None
    """``None`` for answer refusal of which only the pair says it."""
    answer_type: AnswerType
    gold: Gold | None
    query_timestamp: datetime

    @property
    def is_refusal(self) -> bool:
        """Chosen by the expected response, and by nothing else."""
        return self.item.expected_response == "insufficient_evidence"

    def question(
        self,
        question_id: str,
        source: Asked | None,
        source_id: str | None,
        evidence_ids: tuple[str, ...],
    ) -> AskedQuestion:
        """The record.

        Args:
            source: The question that this one was derived from.

        Raises:
            InputError: Nothing says which operation a refusal item comes from.
        """
        kind = source.subtype if source is not None else self.subtype
        if kind is None:
            raise InputError(
                f"subtype {self.item.subtype!r} is not known, and the paired question "
                f"{self.item.paired_question_id!r} is not in the import"
            )
        operation = OPERATION_OF[kind]
        return AskedQuestion(
            question_id=question_id,
            family_id=self.item.family_id,
            evidence_type=self.evidence,
            operation=Operation.ANSWER_REFUSAL if self.is_refusal else operation,
            subtype=kind,
            source_operation=operation,
            text=self.item.question_text,
            query_timestamp=self.query_timestamp,
            answer_type=self.answer_type,
            space=AnswerSpace(),  # no options are published
            expected_response=self.item.expected_response,
            gold=self.gold,
            evidence_session_ids=evidence_ids,
            source_question_id=source_id,
        )


def asked(item: OfficialItem, note: Callable[[str], None]) -> Asked:
    """Reads the question of a row.

    Raises:
        InputError: A name that decides something is not known, or the gold cannot be read.
    """
    evidence = spelled(EVIDENCE, item.evidence_type)
    if evidence is None:
        raise InputError(f"evidence_type {item.evidence_type!r} is not known")
    refusal = item.expected_response == "insufficient_evidence"
    value = None if refusal else gold_value(item.gold_json)
    kind = answer_type(item.answer_type, item.answer_normalization, value)
    if kind is None:
        raise InputError(
            f"answer_type {item.answer_type!r} does not say whether the order of the gold counts"
        )
    if not is_known_answer_type(item.answer_type):
        note(f"answer_type {item.answer_type!r} read as {kind.value}")
    return Asked(
        item=item,
        evidence=evidence,
        subtype=_subtype(item, refusal, note),
        answer_type=kind,
        gold=None if refusal else gold_of(value, kind),
        query_timestamp=moment(item.query_timestamp),
    )


def question_content(item: OfficialItem) -> str:
    """The key of what the rows of one question share at all lengths."""
    own = item.model_dump(
        mode="json",
        include={
            "question_text",
            "question_audio",
            "query_timestamp",
            "family_id",
            "evidence_type",
            "memory_operation",
            "subtype",
            "expected_response",
            "gold_json",
            "answer_type",
            "answer_normalization",
            "paired_question_id",
        },
    )
    return short("question", own)


def moment(text: str) -> datetime:
    """A published timestamp.

    Raises:
        InputError: It is none, or has a time zone, which the published ones have not.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise InputError(f"the timestamp {text!r} is not YYYY-MM-DD HH:MM") from error
    if found.tzinfo is not None:
        raise InputError(f"the timestamp {text!r} has a time zone")
    return found


def _subtype(item: OfficialItem, refusal: bool, note: Callable[[str], None]) -> Subtype | None:
    operation = spelled(OPERATIONS, item.memory_operation)
    if operation is None and not refusal:
        raise InputError(f"memory_operation {item.memory_operation!r} is not known")
    if (operation is Operation.ANSWER_REFUSAL) != refusal:
        note("memory_operation contradicts expected_response, which decides")
    kind = subtype(item.subtype, operation or Operation.ANSWER_REFUSAL)
    if kind is None and not refusal:
        known = SUBTYPES[operation or Operation.ANSWER_REFUSAL] or tuple(Subtype)
        names = ", ".join(each.value for each in known)
        raise InputError(f"subtype {item.subtype!r} is none of: {names}")
    if kind is not None and kind.value != plain(item.subtype):
        note(f"subtype {item.subtype!r} read as {kind.value}")
    return kind
