"""Parquet files of the published layout, a row at a time."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from voxmem.errors import InputError
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.layout import COLUMNS, differences

_BUFFER = 2**20
_OWN_NAME = re.compile(r"([0-9a-f]{64})\.flac")


def read_rows(files: Iterable[Path], keep_audio: Callable[[bytes], str]) -> Iterator[OfficialItem]:
    """The rows of Parquet files.

    Args:
        keep_audio: Stores bytes; returns their SHA-256.

    Raises:
        InputError: A file is damaged, its columns are others, or a row contradicts itself.
    """
    for file in files:
        with _opened(file) as source:
            found = differences(source.schema_arrow)
            if found:
                raise unreadable(file, "; ".join(found))
            # Not by row group: other writers put a hundred rows, and gigabytes, into one.
            for batch in source.iter_batches(batch_size=1, columns=list(COLUMNS)):
                for row in batch.to_pylist():
                    yield _parsed(row, file, keep_audio)


def version_of(file: Path) -> str | None:
    """The release that a file was exported from.

    Raises:
        InputError: The file is damaged, or is none of this layout.
    """
    with _opened(file) as source:
        if source.schema_arrow.get_field_index("benchmark_version") < 0:
            raise unreadable(file, "there is no benchmark_version")
        for batch in source.iter_batches(batch_size=1, columns=["benchmark_version"]):
            return str(batch.to_pylist()[0]["benchmark_version"])
    return None


@contextmanager
def _opened(file: Path) -> Iterator[pq.ParquetFile]:
    try:
        # Both are needed for a column to be read page by page rather than a row group at once.
        with pq.ParquetFile(
            file, buffer_size=_BUFFER, pre_buffer=False, page_checksum_verification=True
        ) as source:
            yield source
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise unreadable(file, f"cannot be read: {reason}") from error


def _parsed(row: dict[str, Any], file: Path, keep: Callable[[bytes], str]) -> OfficialItem:
    where = f"row {row['item_id']}"

    def kept(audio: dict[str, Any] | None) -> str | None:
        return _kept(audio, file, where, keep)

    try:
        item = OfficialItem.model_validate(
            {name: row[name] for name in COLUMNS}
            | {
                "question_audio": kept(row["question_audio"]),
                "sessions": [_session(each, kept) for each in row["sessions"] or ()],
            }
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise unreadable(file, f"{where}: {field}: {first['msg']}") from error
    wrong = _miscounted(item)
    if wrong:
        raise unreadable(file, f"{where}: {wrong}")
    return item


def _session(
    session: dict[str, Any] | None, kept: Callable[[dict[str, Any] | None], str | None]
) -> dict[str, Any]:
    told = session or {}
    return {
        **{name: told.get(name) for name in ("session_id", "timestamp", "role")},
        "turns": [
            {"role": turn["role"], "text": turn["text"], "audio": kept(turn["audio"])}
            for turn in told.get("turns") or ()
            if turn
        ],
    }


def _kept(
    audio: dict[str, Any] | None, file: Path, where: str, keep: Callable[[bytes], str]
) -> str | None:
    data = audio["bytes"] if audio else None
    if audio is None or not data:
        return None
    named = _OWN_NAME.fullmatch(audio["path"] or "")
    if named and hashlib.sha256(data).hexdigest() != named[1]:
        raise unreadable(file, f"{where}: the bytes of {audio['path']} are not those it names")
    return keep(data)


def _miscounted(item: OfficialItem) -> str | None:
    roles = Counter(session.role for session in item.sessions)
    counted = {
        "session_count": (item.session_count, len(item.sessions)),
        "evidence_session_count": (item.evidence_session_count, roles["evidence"]),
        "filler_session_count": (item.filler_session_count, roles["filler"]),
        "topical_haystack_session_count": (
            item.topical_haystack_session_count,
            roles["topical_haystack"],
        ),
        "samekey_haystack_session_count": (
            item.samekey_haystack_session_count,
            roles["samekey_haystack"],
        ),
    }
    wrong = [
        f"{name} is {said}, and there are {found}"
        for name, (said, found) in counted.items()
        if said != found
    ]
    return "; ".join(wrong) or None


def unreadable(file: Path, what: str) -> InputError:
    """The error of a file that is not what it should be."""
    return InputError(
        what, item=str(file), stage="import", remedy="give Parquet files of the published layout"
    )
