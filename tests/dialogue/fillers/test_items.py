"""Reading large files record by record."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from voxmem.dialogue.fillers import items
from voxmem.dialogue.fillers.items import read_items
from voxmem.errors import InputError

RECORDS = [{"id": number, "text": "x" * (number % 7)} for number in range(50)]


def test_arrays_lines_and_tables_hold_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(items, "_CHUNK", 16)  # many records are cut by the end of a chunk
    array, lines, table = (tmp_path / f"r.{kind}" for kind in ("json", "jsonl", "parquet"))
    array.write_text("\ufeff\n" + json.dumps(RECORDS, indent=1))
    lines.write_text("\n\n".join(map(json.dumps, RECORDS)) + "\n")
    parquet.write_table(pa.Table.from_pylist(RECORDS), table)
    for path in (array, lines, table):
        assert list(read_items(path, ("id", "text"))) == RECORDS


def test_an_empty_array_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(" [ ] ")
    assert list(read_items(path, ())) == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cut.json", json.dumps(RECORDS)[:-40], "ends or breaks within a record"),
        ("cut.jsonl", json.dumps(RECORDS[1])[:-3], "cannot be read"),
        ("object.json", '{"id": 1}', "does not hold a JSON array"),
        ("empty.json", "", "does not hold a JSON array"),
        ("bytes.json", b"[\xff\xfe", "cannot be read"),
        ("bytes.parquet", b"PAR1", "cannot be read"),
    ],
)
def test_damaged_files_are_named(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message) as caught:
        list(read_items(path, ("id",)))
    assert str(path) in str(caught.value)


def test_what_comes_before_the_damage_is_given_out(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(RECORDS)[:-40])
    one_by_one = read_items(path, ())
    assert next(one_by_one) == RECORDS[0]


def test_a_table_without_the_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    parquet.write_table(pa.table({"question": ["a"], "answer": ["b"]}), path)
    with pytest.raises(InputError, match="there is no column 'conversation'"):
        list(read_items(path, ("conversation",)))
