"""Rows of the published layout as others may write them: nothing of our own export is used."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import soundfile
from numpy.typing import NDArray

from voxmem.keys import numpy_rng

Row = dict[str, Any]


def noise(name: str, seconds: float = 0.2, rate: int = 24_000) -> NDArray[np.int16]:
    """Samples that follow from a name."""
    drawn = numpy_rng("foreign", name).integers(-9_000, 9_000, round(seconds * rate))
    return np.asarray(drawn, dtype=np.int16)


def file_of(
    samples: NDArray[Any], kind: str = "WAV", rate: int = 24_000, subtype: str | None = None
) -> bytes:
    """The bytes of an audio file."""
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=kind, subtype=subtype)
    return buffer.getvalue()


def clip(name: str) -> dict[str, Any]:
    """What an audio column holds."""
    return {"bytes": file_of(noise(name)), "path": f"{name}.wav"}


def session(name: str, day: int, role: str) -> dict[str, Any]:
    """Two exchanges."""
    return {
        "session_id": name,
        "timestamp": f"2025-03-{day:02d} 09:30",
        "role": role,
        "turns": [
            {"role": "user", "text": f"First words of {name}.", "audio": clip(f"{name}-0")},
            {"role": "assistant", "text": f"A reply in {name}.", "audio": None},
            {"role": "user", "text": f"More words of {name}.", "audio": clip(f"{name}-1")},
            {"role": "assistant", "text": "I see.", "audio": None},
        ],
    }


def item(question: str = "q_00010", length: str = "8K", **changes: Any) -> Row:
    """An answerable item over three sessions; the longer length has a filler more."""
    sessions = [
        session("s1", 1, "evidence"),
        session("s2", 2, "samekey_haystack"),
        session("s3", 3, "evidence"),
        *([session("s4", 4, "filler")] if length != "8K" else []),
    ]
    row: Row = {
        "item_id": f"{question}_{length.lower()}",
        "question_id": question,
        "context_length": length,
        "family_id": "fam_00009",
        "evidence_type": "speaker_information",
        "memory_operation": "multi_session_reasoning",
        "subtype": "counting",
        "question_text": f"How many sessions does {question} ask about?",
        "question_audio": clip(question),
        "query_timestamp": "2025-05-09 19:05",
        "expected_response": "answer",
        "gold_json": "2",
        "answer_type": "number",
        "answer_normalization": "number",
        "sessions": sessions,
        "paired_question_id": None,
        "benchmark_version": "v1",
    }
    return recounted(row | changes)


def refusal(question: str = "q_00011", length: str = "8K", **changes: Any) -> Row:
    """The refusal item of ``q_00010``."""
    return item(question, length) | {
        "memory_operation": "answer_refusal",
        "expected_response": "insufficient_evidence",
        "gold_json": '"insufficient evidence"',
        "paired_question_id": "q_00010",
    } | changes  # fmt: skip


def recounted(row: Row) -> Row:
    """A row whose counts are those of its sessions."""
    roles = [each["role"] for each in row["sessions"]]
    at = [place for place, role in enumerate(roles) if role == "evidence"]
    samples = 4_800 * sum(
        turn["role"] == "user" for each in row["sessions"] for turn in each["turns"]
    )
    counts = {
        "evidence_session_ids": [row["sessions"][place]["session_id"] for place in at],
        "evidence_session_indices": at,
        "evidence_session_relative_positions": [place / len(roles) for place in at],
        "session_count": len(roles),
        "evidence_session_count": roles.count("evidence"),
        "filler_session_count": roles.count("filler"),
        "topical_haystack_session_count": roles.count("topical_haystack"),
        "samekey_haystack_session_count": roles.count("samekey_haystack"),
        "history_audio_tokens": samples // 480,
        "history_duration_seconds": samples / 24_000,
    }
    return row | counts


def write(folder: Path, rows: Sequence[Mapping[str, Any]], name: str = "data.parquet") -> Path:
    """A Parquet file; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), folder / name)
    return folder


def as_json(value: object) -> str:
    """A gold as published."""
    return json.dumps(value)
