"""The columns of the published layout, for Parquet and for Hugging Face ``datasets``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

SAMPLE_RATE = 24_000

AUDIO = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_TURN = pa.struct([("role", pa.string()), ("text", pa.string()), ("audio", AUDIO)])
_SESSION = pa.struct(
    [
        ("session_id", pa.string()),
        ("timestamp", pa.string()),
        ("role", pa.string()),
        ("turns", pa.list_(_TURN)),
    ]
)
COLUMNS: dict[str, pa.DataType] = {
    "item_id": pa.string(),
    "question_id": pa.string(),
    "context_length": pa.string(),
    "family_id": pa.string(),
    "evidence_type": pa.string(),
    "memory_operation": pa.string(),
    "subtype": pa.string(),
    "question_text": pa.string(),
    "question_audio": AUDIO,
    "query_timestamp": pa.string(),
    "expected_response": pa.string(),
    "gold_json": pa.string(),
    "answer_type": pa.string(),
    "answer_normalization": pa.string(),
    "sessions": pa.list_(_SESSION),
    "evidence_session_ids": pa.list_(pa.string()),
    "evidence_session_indices": pa.list_(pa.int32()),
    "evidence_session_relative_positions": pa.list_(pa.float64()),
    "session_count": pa.int32(),
    "evidence_session_count": pa.int32(),
    "filler_session_count": pa.int32(),
    "topical_haystack_session_count": pa.int32(),
    "samekey_haystack_session_count": pa.int32(),
    "history_audio_tokens": pa.int64(),
    "history_duration_seconds": pa.float64(),
    "paired_question_id": pa.string(),
    "benchmark_version": pa.string(),
}


def schema() -> pa.Schema:
    """The Arrow schema, with the description by which ``datasets`` knows what is audio."""
    described = {name: _feature(kind) for name, kind in COLUMNS.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": described}})}
    return pa.schema(list(COLUMNS.items()), metadata=metadata)


def _feature(kind: pa.DataType) -> Any:
    if kind == AUDIO:
        return {"sampling_rate": SAMPLE_RATE, "_type": "Audio"}
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        # A plain list is the one spelling that releases before and after 4.0 both read.
        return [_feature(kind.value_type)]
    return {"dtype": "float64" if pa.types.is_floating(kind) else str(kind), "_type": "Value"}


def differences(found: pa.Schema) -> list[str]:
    """What keeps a file from being read in this layout, each by its path. More columns than these,
    other spellings inside sessions, and other types of values are found out row by row."""
    lacking = [name for name in COLUMNS if found.get_field_index(name) < 0]
    if lacking:
        return [f"there is no {', '.join(lacking)} among {', '.join(found.names)}"]
    return list(_sessions(found.field("sessions").type))


def _sessions(kind: pa.DataType) -> Iterator[str]:
    if pa.types.is_null(kind):
        return
    if not (_is_list(kind) and pa.types.is_struct(kind.value_type)):
        yield f"sessions is {kind}, not {COLUMNS['sessions']}"
        return
    for name in ("timestamp", "turns"):
        if kind.value_type.get_field_index(name) < 0:
            there = ", ".join(each.name for each in kind.value_type)
            yield f"there is no sessions.{name} among {there}"


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))
