"""How names of the published dataset may be spelled, and what they are here.

Some names are published, some are not known: what is unknown is read by its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeVar

from voxmem.interop.official.item import OfficialRole
from voxmem.taxonomy import SUBTYPES, AnswerType, EvidenceType, Operation, Subtype

T = TypeVar("T")
Expected = Literal["answer", "insufficient_evidence"]

EVIDENCE: dict[str, EvidenceType] = {
    "speech_semantics": EvidenceType.SPEECH_SEMANTICS,
    "speaker_information": EvidenceType.SPEAKER_IDENTITY,
    "speaker_identity": EvidenceType.SPEAKER_IDENTITY,
    "paralinguistic_information": EvidenceType.PARALINGUISTIC,
    "paralinguistic": EvidenceType.PARALINGUISTIC,
    "paralinguistics": EvidenceType.PARALINGUISTIC,
    "environmental_sound": EvidenceType.ENVIRONMENTAL,
    "environmental_sounds": EvidenceType.ENVIRONMENTAL,
    "environmental": EvidenceType.ENVIRONMENTAL,
}
OPERATIONS: dict[str, Operation] = {operation.value: operation for operation in Operation} | {
    "ie": Operation.INFORMATION_EXTRACTION,
    "msr": Operation.MULTI_SESSION_REASONING,
    "tet": Operation.TEMPORAL_EVOLUTION_TRACKING,
    "ar": Operation.ANSWER_REFUSAL,
}
EXPECTED: dict[str, Expected] = {
    "answer": "answer",
    "insufficient_evidence": "insufficient_evidence",
}
"""What chooses the rubric: an unknown value is never guessed at."""
ROLES: dict[str, OfficialRole] = {
    "evidence": "evidence",
    "samekey_haystack": "samekey_haystack",
    "same_key_haystack": "samekey_haystack",
    "samekey": "samekey_haystack",
    "topical_haystack": "topical_haystack",
    "topical": "topical_haystack",
    "filler": "filler",
    "filler_haystack": "filler",
}
TURN_ROLES: dict[str, Literal["user", "assistant"]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
}
SESSION_IDS = ("session_id", "id", "sid", "session", "session_key")
ROLE_LABELS = ("role", "session_role", "role_label", "session_type", "kind", "type", "label")

_SUBTYPE_STEMS: dict[Subtype, tuple[str, ...]] = {
    Subtype.CONTEXT_TO_CUE: ("context_to", "to_cue"),
    Subtype.CUE_TO_FACT: ("cue_to", "to_fact"),
    Subtype.COUNTING: ("count",),
    Subtype.MATCHING: ("match", "same_or_different", "compar"),
    Subtype.AGGREGATION: ("aggregat",),
    Subtype.LATEST_STATE: ("latest", "current"),
    Subtype.HISTORICAL_STATE: ("histor", "past", "earlier"),
    Subtype.EVOLUTION: ("evol", "trajector", "change"),
}
_ANSWER_TYPES: dict[str, AnswerType] = {kind.value: kind for kind in AnswerType} | {
    "boolean": AnswerType.YES_NO,
    "numeric": AnswerType.NUMBER,
    "integer": AnswerType.NUMBER,
    "set": AnswerType.UNORDERED_SET,
    "unordered_list": AnswerType.UNORDERED_SET,
    "label_set": AnswerType.UNORDERED_SET,
    "sequence": AnswerType.ORDERED_LIST,
    "label": AnswerType.CATEGORICAL,
    "text": AnswerType.FREE_TEXT,
    "short_text": AnswerType.FREE_TEXT,
    "short_answer": AnswerType.FREE_TEXT,
    "string": AnswerType.FREE_TEXT,
    "phrase": AnswerType.FREE_TEXT,
    "open": AnswerType.FREE_TEXT,
    "open_ended": AnswerType.FREE_TEXT,
}


def plain(text: str) -> str:
    """A name in lower case, its words joined by underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.strip().lower()).strip("_")


def spelled(table: Mapping[str, T], text: object) -> T | None:
    """What a name stands for, or ``None`` if it is unknown."""
    return table.get(plain(text)) if isinstance(text, str) else None


def subtype(text: str, operation: Operation) -> Subtype | None:
    """The subtype of a spelling: by name, else the only one whose words it has.

    Args:
        operation: Restricts the choice, unless it is answer refusal.
    """
    name = plain(text).removeprefix(f"{operation.value}_")
    within = SUBTYPES[operation] or tuple(Subtype)
    if name in set(within):
        return Subtype(name)
    found = [kind for kind in within if any(stem in name for stem in _SUBTYPE_STEMS[kind])]
    return found[0] if len(found) == 1 else None


def answer_type(text: str, normalization: str, gold: object) -> AnswerType | None:
    """The answer type of a spelling: by name, else by how answers are compared, else by the gold.

    ``None`` for a list of which nothing says whether its order counts.
    """
    known = spelled(_ANSWER_TYPES, text)
    if known is not None:
        return known
    compared = spelled(_ANSWER_TYPES, normalization)
    if compared is not None and _fits(gold, compared):
        return compared
    if isinstance(gold, list):
        words = f"{plain(text)}_{plain(normalization)}".split("_")
        if "unordered" in words or "set" in words:
            return AnswerType.UNORDERED_SET
        return AnswerType.ORDERED_LIST if "ordered" in words else None
    if isinstance(gold, bool):
        return AnswerType.YES_NO
    return AnswerType.NUMBER if isinstance(gold, int | float) else AnswerType.FREE_TEXT


def _fits(gold: object, kind: AnswerType) -> bool:
    if isinstance(gold, list):
        return kind in (AnswerType.ORDERED_LIST, AnswerType.UNORDERED_SET)
    if isinstance(gold, str):
        return kind in (AnswerType.CATEGORICAL, AnswerType.FREE_TEXT)
    return gold is None


def is_known_answer_type(text: str) -> bool:
    """Whether a spelling of an answer type is in the table."""
    return spelled(_ANSWER_TYPES, text) is not None
