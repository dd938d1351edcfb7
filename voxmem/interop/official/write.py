"""Rows of the published layout into Parquet shards.

A row holds the audio of its whole history, so that rows are large and few: no more than one row
group is ever held.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from voxmem.interop.official.container import SUFFIX_OF, container
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.layout import schema

ROW_GROUP_BYTES = 96 * 2**20
"""Of Arrow memory. With the levels and headers of Parquet, a group stays under 100 MiB; a larger
row has its own."""
SHARD_BYTES = 480 * 2**20


class ShardWriter:
    """Writes the rows of one config to numbered shards, which get their names at the end.

    Args:
        folder: Of the config.
        read_audio: SHA-256 → the stored bytes.
    """

    def __init__(self, folder: Path, read_audio: Callable[[str], bytes]) -> None:
        self._folder, self._read = folder, read_audio
        self._schema = schema()
        self._held: list[pa.RecordBatch] = []
        self._group = self._shard = 0
        self._files: list[Path] = []
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._finish()
        elif self._writer is not None:
            # Whoever made the folder removes it; a footer that does not fit says nothing new.
            with contextlib.suppress(OSError):
                self._writer.close()

    def add(self, item: OfficialItem) -> None:
        """Adds one row.

        Raises:
            OSError: The folder cannot be written.
            InputError: A clip is not in the store, or damaged.
        """
        row = pa.RecordBatch.from_pylist([self._row(item)], schema=self._schema)
        if self._held and self._group + row.nbytes > ROW_GROUP_BYTES:
            self._flush()
        self._held.append(row)
        self._group += row.nbytes

    def _row(self, item: OfficialItem) -> dict[str, Any]:
        row: dict[str, Any] = item.model_dump(mode="json")
        row["question_audio"] = self._audio(item.question_audio)
        for session in row["sessions"]:
            for turn in session["turns"]:
                turn["audio"] = self._audio(turn["audio"])
        return row

    def _audio(self, sha: str | None) -> dict[str, Any] | None:
        if sha is None:
            return None
        data = self._read(sha)
        return {"bytes": data, "path": f"{sha}{SUFFIX_OF.get(container(data), '')}"}

    def _flush(self) -> None:
        """Writes what is held as one row group."""
        if self._shard and self._shard + self._group > SHARD_BYTES:
            self._end_shard()
        if self._writer is None:
            self._files.append(self._folder / f"{len(self._files)}.parquet")
            self._writer = pq.ParquetWriter(
                self._files[-1],
                self._schema,
                compression="zstd",
                version="2.6",
                write_page_checksum=True,
            )
        table = pa.Table.from_batches(self._held, schema=self._schema)
        self._writer.write_table(table, row_group_size=table.num_rows)
        self._shard += self._group
        self._held, self._group = [], 0

    def _end_shard(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._shard = None, 0

    def _finish(self) -> None:
        if self._held:
            self._flush()
        self._end_shard()
        count = len(self._files)
        for number, file in enumerate(self._files):
            file.replace(self._folder / f"train-{number:05d}-of-{count:05d}.parquet")
