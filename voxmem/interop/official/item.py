"""One row of the published layout, its audio named by hash instead of carried."""

from __future__ import annotations

from typing import Literal

from pydantic import FiniteFloat

from voxmem.records import Record

OfficialRole = Literal["evidence", "samekey_haystack", "topical_haystack", "filler"]


class OfficialTurn(Record):
    """A turn as published."""

    role: Literal["user", "assistant"]
    text: str
    audio: str | None = None
    """SHA-256 of the clip's bytes; ``None`` for assistant turns, and where nothing is spoken."""


class OfficialSession(Record):
    """A session as published."""

    session_id: str
    timestamp: str
    """``YYYY-MM-DD HH:MM``"""
    role: OfficialRole
    turns: tuple[OfficialTurn, ...]


class OfficialItem(Record):
    """A question over its history at one length, under the published names."""

    item_id: str
    question_id: str
    context_length: str
    family_id: str
    evidence_type: str
    memory_operation: str
    subtype: str
    question_text: str
    question_audio: str | None
    query_timestamp: str
    expected_response: Literal["answer", "insufficient_evidence"]
    gold_json: str
    answer_type: str
    answer_normalization: str
    sessions: tuple[OfficialSession, ...]
    evidence_session_ids: tuple[str, ...]
    evidence_session_indices: tuple[int, ...]
    evidence_session_relative_positions: tuple[FiniteFloat, ...]
    session_count: int
    evidence_session_count: int
    filler_session_count: int
    topical_haystack_session_count: int
    samekey_haystack_session_count: int
    history_audio_tokens: int
    history_duration_seconds: FiniteFloat
    paired_question_id: str | None
    benchmark_version: str

    @property
    def config(self) -> str:
        """The config that holds it: its length and evidence type."""
        return f"{self.context_length.lower()}_{self.evidence_type}"

    @property
    def audio(self) -> tuple[str, ...]:
        """The SHA-256 of every clip, each once."""
        spoken = (turn.audio for session in self.sessions for turn in session.turns)
        return tuple(dict.fromkeys(sha for sha in (*spoken, self.question_audio) if sha))
