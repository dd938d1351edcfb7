"""From a release to rows of the published layout."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial

from voxmem.evaluate.items import ReleaseRows
from voxmem.history.lengths import estimated_samples
from voxmem.interop.configs import tokens
from voxmem.interop.official.item import (
    OfficialItem,
    OfficialRole,
    OfficialSession,
    OfficialTurn,
)
from voxmem.interop.official.republish import published_items
from voxmem.length import SAMPLE_RATE, audio_tokens
from voxmem.records import ClipSpec, History, Placement, Question, Role
from voxmem.speech.clips import question_spec, spec_of
from voxmem.taxonomy import AnswerType, EvidenceType, Operation

EVIDENCE_NAMES: dict[EvidenceType, str] = {
    EvidenceType.SPEECH_SEMANTICS: "speech_semantics",
    EvidenceType.SPEAKER_IDENTITY: "speaker_information",
    EvidenceType.PARALINGUISTIC: "paralinguistic_information",
    EvidenceType.ENVIRONMENTAL: "environmental_sound",
}
"""Evidence type → its published name."""

ROLES: dict[Role, OfficialRole] = {
    "evidence": "evidence",
    "samekey_haystack": "samekey_haystack",
    "topical_haystack": "topical_haystack",
    "filler": "filler",
    # On the evidence's topic, and supports no answer.
    "replacement": "topical_haystack",
}

NORMALIZATIONS: dict[AnswerType, str] = {
    AnswerType.CATEGORICAL: "label",
    AnswerType.FREE_TEXT: "label",
    AnswerType.YES_NO: "boolean",
    AnswerType.NUMBER: "number",
    AnswerType.ORDERED_LIST: "list",
    AnswerType.UNORDERED_SET: "list",
}
"""Answer type → how answers are compared. The published names are not known; these are ours."""

_MINUTE = "%Y-%m-%d %H:%M"


def official_items(rows: ReleaseRows) -> Iterator[OfficialItem]:
    """Every item of a release, one config after the other: that of the shortest length first, and
    within a length by evidence type; within a config in the order of the questions. Those of an
    imported release are as they were published."""
    if rows.is_imported:
        yield from published_items(rows)
        return
    pairs = _pairs(rows)
    for history in sorted(rows.histories, key=partial(_config, rows)):
        yield _item(rows, history, pairs.get(history.question_id))


def _config(rows: ReleaseRows, history: History) -> tuple[int, int]:
    evidence = rows.questions[history.question_id].evidence_type
    return tokens(history.budget), list(EVIDENCE_NAMES).index(evidence)


def _pairs(rows: ReleaseRows) -> dict[str, str]:
    """Refusal item ↔ source. A source with several variants is paired with the first."""
    found: dict[str, str] = {}
    for question in rows.questions.values():
        source = question.source_question_id
        if source in rows.questions:
            found[question.question_id] = source
            found.setdefault(source, question.question_id)
    return found


def _item(rows: ReleaseRows, history: History, pair: str | None) -> OfficialItem:
    question = rows.questions[history.question_id]
    sessions = tuple(_session(rows, place) for place in history.placements)
    # In a refusal item the evidence that is left may have been changed: its id says so.
    evidence = [at for at, item in enumerate(sessions) if item.role == "evidence"]
    counts = Counter(item.role for item in sessions)
    # A history's own length is without the query, which its record includes.
    spec = question_spec(question)
    query = rows.clip(spec).samples if is_spoken(rows) else estimated_samples(spec)
    return OfficialItem(
        item_id=history.item_id,
        question_id=question.question_id,
        context_length=history.budget,
        family_id=question.family_id,
        evidence_type=EVIDENCE_NAMES[question.evidence_type],
        memory_operation=question.operation.value,
        subtype=question.subtype.value,
        question_text=question.text,
        question_audio=_sha(rows, spec),
        query_timestamp=question.query_timestamp.strftime(_MINUTE),
        expected_response=question.expected_response,
        gold_json=gold_json(question),
        answer_type=question.answer_type.value,
        answer_normalization=NORMALIZATIONS[question.answer_type],
        sessions=sessions,
        evidence_session_ids=tuple(sessions[at].session_id for at in evidence),
        evidence_session_indices=tuple(evidence),
        evidence_session_relative_positions=tuple(
            round(at / max(len(sessions) - 1, 1), 6) for at in evidence
        ),
        session_count=len(sessions),
        evidence_session_count=counts["evidence"],
        filler_session_count=counts["filler"],
        topical_haystack_session_count=counts["topical_haystack"],
        samekey_haystack_session_count=counts["samekey_haystack"],
        history_audio_tokens=history.length.audio_tokens - audio_tokens(query),
        history_duration_seconds=round(history.length.audio_seconds - query / SAMPLE_RATE, 6),
        paired_question_id=pair,
        benchmark_version=rows.release.release_id,
    )


def _session(rows: ReleaseRows, place: Placement) -> OfficialSession:
    session = rows.sessions[place.session_id]
    return OfficialSession(
        session_id=place.session_id,
        timestamp=place.timestamp.strftime(_MINUTE),
        role=ROLES[place.role],
        turns=tuple(
            OfficialTurn(
                role=turn.role,
                text=turn.text,
                audio=_sha(rows, spec_of(turn)) if turn.role == "user" else None,
            )
            for turn in session.turns
        ),
    )


def is_spoken(rows: ReleaseRows) -> bool:
    """Whether a release has audio; a text-only one has no clips."""
    return "clips" in rows.release.tables


def _sha(rows: ReleaseRows, spec: ClipSpec) -> str | None:
    return rows.clip(spec).sha256 if is_spoken(rows) else None


def gold_json(question: Question) -> str:
    """The gold as JSON: yes and no are truth values, a refusal is the phrase of the instruction."""
    if question.operation is Operation.ANSWER_REFUSAL:
        return json.dumps("insufficient evidence")
    if question.answer_type is AnswerType.YES_NO:
        return json.dumps(question.gold == "yes")
    gold = list(question.gold) if isinstance(question.gold, tuple) else question.gold
    return json.dumps(gold, ensure_ascii=False)
