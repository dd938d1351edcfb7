"""Rows of the published layout as Parquet files that Hugging Face ``datasets`` reads, and back.

Every file carries the feature types that ``datasets`` looks for, so that audio columns are audio.
A row holds the audio of its whole history; row groups stay under 100 MiB (a larger row has its
own), and files are cut into shards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from voxmem.errors import InputError, StoreError
from voxmem.interop.official.item import OfficialItem

ROW_GROUP_BYTES = 100 * 2**20
SHARD_BYTES = 480 * 2**20
SAMPLE_RATE = 24_000

_AUDIO = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_TURN = pa.struct([("role", pa.string()), ("text", pa.string()), ("audio", _AUDIO)])
_SESSION = pa.struct(
    [
        ("session_id", pa.string()),
        ("timestamp", pa.string()),
        ("role", pa.string()),
        ("turns", pa.list_(_TURN)),
    ]
)
_COLUMNS: dict[str, pa.DataType] = {
    "item_id": pa.string(),
    "question_id": pa.string(),
    "context_length": pa.string(),
    "family_id": pa.string(),
    "evidence_type": pa.string(),
    "memory_operation": pa.string(),
    "subtype": pa.string(),
    "question_text": pa.string(),
    "question_audio": _AUDIO,
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


def features() -> dict[str, Any]:
    """The columns as ``datasets`` describes them."""
    return {name: _feature(kind) for name, kind in _COLUMNS.items()}


def _feature(kind: pa.DataType) -> Any:
    if kind == _AUDIO:
        return {"sampling_rate": SAMPLE_RATE, "_type": "Audio"}
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "List"}
    return {"dtype": "float64" if pa.types.is_floating(kind) else str(kind), "_type": "Value"}


def schema() -> pa.Schema:
    """The Arrow schema, with the description that ``datasets`` reads."""
    described = json.dumps({"info": {"features": features()}})
    fields = [pa.field(name, kind) for name, kind in _COLUMNS.items()]
    return pa.schema(fields, metadata={"huggingface": described})


class ShardWriter:
    """Writes the rows of one config to numbered shards.

    Args:
        folder: Of the config.
        read_audio: SHA-256 → the stored bytes.
    """

    def __init__(self, folder: Path, read_audio: Callable[[str], bytes]) -> None:
        self._folder, self._read = folder, read_audio
        self._rows: list[dict[str, Any]] = []
        self._held = self._in_shard = 0
        self._writer: pq.ParquetWriter | None = None
        self.files: list[Path] = []

    def add(self, item: OfficialItem) -> None:
        """Adds one row.

        Raises:
            StoreError: The folder cannot be written.
        """
        row, size = self._row(item)
        if self._rows and self._held + size > ROW_GROUP_BYTES:
            self._flush()
        self._rows.append(row)
        self._held += size

    def close(self) -> list[Path]:
        """Writes what is held; returns the files, named by their number and how many there are."""
        self._flush()
        self._end_shard()
        named = []
        for number, file in enumerate(self.files):
            final = self._folder / f"train-{number:05d}-of-{len(self.files):05d}.parquet"
            file.replace(final)
            named.append(final)
        return named

    def _row(self, item: OfficialItem) -> tuple[dict[str, Any], int]:
        row: dict[str, Any] = item.model_dump(mode="json")
        row["question_audio"] = self._audio(item.question_audio)
        size = len(json.dumps(row["question_text"])) + _size(row["question_audio"])
        for session in row["sessions"]:
            for turn in session["turns"]:
                turn["audio"] = self._audio(turn["audio"])
                size += len(turn["text"]) + _size(turn["audio"])
        return row, size

    def _audio(self, sha: str | None) -> dict[str, Any] | None:
        return None if sha is None else {"bytes": self._read(sha), "path": f"{sha}.flac"}

    def _flush(self) -> None:
        if not self._rows:
            return
        if self._in_shard and self._in_shard + self._held > SHARD_BYTES:
            self._end_shard()
        table = pa.Table.from_pylist(self._rows, schema=schema())
        try:
            if self._writer is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self.files.append(self._folder / f"train-{len(self.files):05d}.parquet.part")
                self._writer = pq.ParquetWriter(
                    self.files[-1], schema(), compression="zstd", version="2.6"
                )
            self._writer.write_table(table, row_group_size=len(self._rows))
        except OSError as error:
            raise StoreError(
                f"cannot be written: {error.strerror or error}",
                item=str(self._folder),
                stage="export",
                remedy="free space, or export to another folder",
            ) from error
        self._in_shard += self._held
        self._rows, self._held = [], 0

    def _end_shard(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._in_shard = None, 0


def _size(audio: dict[str, Any] | None) -> int:
    return len(audio["bytes"]) if audio else 0


def read_rows(files: Iterable[Path], keep_audio: Callable[[bytes], str]) -> Iterator[OfficialItem]:
    """The rows of Parquet files, one row group at a time.

    Args:
        keep_audio: Stores bytes; returns their SHA-256.

    Raises:
        InputError: A file is damaged, or its columns are others.
    """
    for file in files:
        try:
            source = pq.ParquetFile(file)
            lacking = sorted(_COLUMNS.keys() - set(source.schema_arrow.names))
            if lacking:
                raise _unreadable(file, f"has no column {', '.join(lacking)}")
            for group in range(source.num_row_groups):
                for row in source.read_row_group(group).to_pylist():
                    yield _parsed(row, file, keep_audio)
        except (pa.ArrowException, OSError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise _unreadable(file, f"cannot be read: {reason}") from error


def _parsed(row: dict[str, Any], file: Path, keep: Callable[[bytes], str]) -> OfficialItem:
    plain = {name: row[name] for name in _COLUMNS}
    plain["question_audio"] = _kept(plain["question_audio"], keep)
    plain["sessions"] = [
        {
            **session,
            "turns": [{**turn, "audio": _kept(turn["audio"], keep)} for turn in session["turns"]],
        }
        for session in plain["sessions"] or ()
    ]
    try:
        item = OfficialItem.model_validate(plain)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _unreadable(file, f"row {row.get('item_id')}: {where}: {first['msg']}") from error
    counted = (
        item.evidence_session_count
        + item.filler_session_count
        + item.topical_haystack_session_count
        + item.samekey_haystack_session_count
    )
    if not counted == item.session_count == len(item.sessions):
        raise _unreadable(file, f"row {item.item_id}: its session counts do not add up")
    return item


def _kept(audio: dict[str, Any] | None, keep: Callable[[bytes], str]) -> str | None:
    data = audio.get("bytes") if audio else None
    return keep(data) if data else None


def _unreadable(file: Path, what: str) -> InputError:
    return InputError(
        what, item=str(file), stage="import", remedy="give Parquet files of the published layout"
    )
