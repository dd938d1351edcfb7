"""Rows against the release they come from."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby

import pytest

from tests.interop.builders import FILLERS
from tests.interop.conftest import Exported
from voxmem.interop.official.convert import gold_json, official_items
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.layout import COLUMNS
from voxmem.length import audio_tokens
from voxmem.speech.clips import question_spec, spec_of
from voxmem.taxonomy import AnswerType


@pytest.fixture(scope="module")
def items(spoken: Exported) -> list[OfficialItem]:
    return list(official_items(spoken.rows))


def test_columns_are_the_fields_of_an_item() -> None:
    assert list(COLUMNS) == list(OfficialItem.model_fields)


def test_items_come_config_by_config(items: list[OfficialItem]) -> None:
    assert [item.context_length for item in items] == [name for name in FILLERS for _ in range(8)]
    assert len(list(groupby(items, key=lambda item: item.config))) == 16
    assert items[0].config == "8k_speech_semantics"


def test_counts_positions_and_roles_agree(items: list[OfficialItem]) -> None:
    for item in items:
        roles = Counter(session.role for session in item.sessions)
        assert item.filler_session_count == roles["filler"] == FILLERS[item.context_length]
        refusal = item.expected_response == "insufficient_evidence"
        # What replaces a removed session is on the topic and supports no answer.
        assert item.topical_haystack_session_count == roles["topical_haystack"] == 1 + refusal
        assert item.samekey_haystack_session_count == 1
        assert item.evidence_session_count == len(item.evidence_session_ids) == 2 - refusal
        assert item.session_count == len(item.sessions) == sum(roles.values())
        for name, at, position in zip(
            item.evidence_session_ids,
            item.evidence_session_indices,
            item.evidence_session_relative_positions,
            strict=True,
        ):
            assert item.sessions[at].session_id == name
            assert position == pytest.approx(at / (len(item.sessions) - 1), abs=1e-6)


def test_refusal_items_are_paired_with_their_source(items: list[OfficialItem]) -> None:
    pairs = {item.question_id: item.paired_question_id for item in items}
    assert pairs["q_00001_r"] == "q_00001"
    assert all(pair is not None and pairs[pair] == name for name, pair in pairs.items())


def test_lengths_are_of_the_history_without_the_query(spoken: Exported) -> None:
    rows = spoken.rows
    for item in official_items(rows):
        specs = [
            spec_of(turn)
            for session in item.sessions
            for turn in rows.sessions[session.session_id].user_turns
        ]
        samples = [rows.clip(spec).samples for spec in specs]
        assert item.history_audio_tokens == sum(map(audio_tokens, samples))
        assert item.history_duration_seconds == pytest.approx(sum(samples) / 24_000, abs=1e-6)


def test_estimated_lengths_are_without_the_query_too(text_only: Exported) -> None:
    from voxmem.history.lengths import Lengths

    lengths = Lengths(text_only.rows.sessions)
    for item in official_items(text_only.rows):
        each = [lengths.session(session.session_id) for session in item.sessions]
        assert item.history_audio_tokens == sum(part.audio_tokens for part in each)
        seconds = sum(part.audio_seconds for part in each)
        assert item.history_duration_seconds == pytest.approx(seconds, abs=1e-6)


def test_audio_is_that_of_the_clips(spoken: Exported, items: list[OfficialItem]) -> None:
    rows = spoken.rows
    assert items[0].question_audio == rows.clip(question_spec(rows.questions["q_00000"])).sha256
    for session in items[0].sessions:
        for turn in session.turns:
            assert (turn.audio is None) == (turn.role == "assistant")


def test_golds_are_json(spoken: Exported) -> None:
    found = {
        question.answer_type: json.loads(gold_json(question))
        for question in spoken.rows.questions.values()
        if question.gold is not None
    }
    assert found == {
        AnswerType.NUMBER: 3,
        AnswerType.YES_NO: True,
        AnswerType.ORDERED_LIST: ["first — “one”", "second"],
        AnswerType.UNORDERED_SET: ["a", "b"],
    }
    refusal = spoken.rows.questions["q_00001_r"]
    assert gold_json(refusal) == '"insufficient evidence"'
    no = spoken.rows.questions["q_00001"].model_copy(update={"gold": "no"})
    assert gold_json(no) == "false"
