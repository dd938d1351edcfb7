"""Imports: what was exported comes back, and what is wrong with a file is said."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.interop.conftest import Exported
from tests.interop.test_export import largest_file
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.interop.official import load
from voxmem.interop.official.compare import differences
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.load import Imported, import_units, imported_items
from voxmem.interop.official.read import parquet_units
from voxmem.store.root import Root, open_root

CONFIG = "8k_speech_semantics"
Rows = list[dict[str, Any]]


@pytest.fixture
def file(spoken: Exported, tmp_path: Path) -> Path:
    """One exported file, to be damaged: the items q_00000_8k and q_00000_r_8k."""
    (source,) = (spoken.out / "data" / CONFIG).iterdir()
    return Path(shutil.copy(source, tmp_path / "one.parquet"))


def import_official(root: Root, paths: Sequence[Path]) -> Imported:
    return import_units(root, parquet_units(paths))


def rewrite(file: Path, change: Callable[[Rows], object]) -> None:
    """Changes rows in a file, which stays a sound Parquet file."""
    table = pq.read_table(file)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), file)


def compared(exported: Exported, root: Root, imported: Imported) -> list[str]:
    names = {item.item_id for item in imported_items(root, imported)}
    mine = (item for item in official_items(exported.rows) if item.item_id in names)
    return differences(mine, imported_items(root, imported))


def refused(root: Root, *paths: Path, match: str) -> InputError:
    """The import fails."""
    with pytest.raises(InputError, match=match) as caught:
        import_official(root, paths)
    assert caught.value.stage == "import"
    return caught.value


def left_out(root: Root, *paths: Path) -> dict[str, str]:
    """Item → why it was left out; others are kept."""
    imported = import_official(root, paths)
    assert imported.ids.isdisjoint(each.item for each in imported.rejections)
    assert {item.item_id for item in imported_items(root, imported)} == imported.ids
    return {each.item: each.reason for each in imported.rejections}


# --- what was exported comes back ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["spoken", "text_only"])
def test_an_export_comes_back(kind: str, root: Root, request: pytest.FixtureRequest) -> None:
    exported: Exported = request.getfixturevalue(kind)
    imported = import_official(root, [exported.out])
    assert imported.items == 32
    found = list(imported_items(root, imported))
    assert differences(official_items(exported.rows), found) == []
    assert sorted(found, key=lambda item: item.item_id) == sorted(
        official_items(exported.rows), key=lambda item: item.item_id
    )
    for sha in {sha for item in found for sha in item.audio}:
        assert root.objects.get(sha) == exported.rows.root.objects.get(sha)
    assert any(item.audio for item in found) == (kind == "spoken")


def test_importing_again_changes_nothing(spoken: Exported, root: Root) -> None:
    first = import_official(root, [spoken.out])
    before = {path: path.stat().st_mtime_ns for path in (root.path / "objects").rglob("*")}
    assert import_official(root, [spoken.out]) == first
    assert {path: path.stat().st_mtime_ns for path in (root.path / "objects").rglob("*")} == before


def test_items_that_several_files_hold_come_once(spoken: Exported, file: Path, root: Root) -> None:
    imported = import_official(root, [file, spoken.out / "data" / CONFIG, spoken.out])
    assert imported.items == 32
    assert compared(spoken, root, imported) == []


def test_parts_are_cut(spoken: Exported, root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_BATCH", 1)
    imported = import_official(root, [spoken.out])
    assert (len(imported.parts), imported.items) == (32, 32)
    assert sorted(imported.parts) == root.tables.parts(load.TABLE)
    assert compared(spoken, root, imported) == []


def test_more_columns_and_wider_types_are_no_hindrance(
    spoken: Exported, file: Path, root: Root
) -> None:
    table = pq.read_table(file)
    at = table.schema.get_field_index("session_count")
    table = table.set_column(at, "session_count", table.column(at).cast(pa.int64()))
    at = table.schema.get_field_index("question_text")
    table = table.set_column(at, "question_text", table.column(at).cast(pa.large_string()))
    at = table.schema.get_field_index("paired_question_id")
    table = table.set_column(at, "paired_question_id", pa.nulls(table.num_rows))
    table = table.append_column("extra", pa.array([1] * table.num_rows))
    pq.write_table(table.replace_schema_metadata(None), file)
    imported = import_official(root, [file])
    assert compared(spoken, root, imported) == [
        "q_00000_8k: paired_question_id",
        "q_00000_r_8k: paired_question_id",
    ]


def test_a_row_at_a_time_is_read(file: Path, root: Root) -> None:
    """Other writers put gigabytes into one row group."""
    first = pq.read_table(file).slice(0, 1)
    table = pa.concat_tables(
        [first.set_column(0, "item_id", pa.array([f"q_{at}"])) for at in range(300)]
    )
    pq.write_table(table, file, row_group_size=300, use_dictionary=False, compression="none")
    assert pq.ParquetFile(file).num_row_groups == 1
    usual = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(pool)
    try:
        assert import_official(root, [file]).items == 300
    finally:
        pa.set_memory_pool(usual)
    assert pool.max_memory() < file.stat().st_size / 2


# --- what differs is said -----------------------------------------------------------------------


def test_a_changed_text_is_found(spoken: Exported, file: Path, root: Root) -> None:
    def change(rows: Rows) -> None:
        rows[1]["sessions"][2]["turns"][1]["text"] += " "

    rewrite(file, change)
    imported = import_official(root, [file])
    assert compared(spoken, root, imported) == ["q_00000_r_8k: sessions"]


def test_a_changed_answer_and_another_clip_are_found(
    spoken: Exported, file: Path, root: Root
) -> None:
    def change(rows: Rows) -> None:
        rows[0]["gold_json"] = "4"
        audio = rows[0]["question_audio"]
        rows[0]["question_audio"] = {"bytes": audio["bytes"] + b"\0", "path": "other.flac"}

    rewrite(file, change)
    imported = import_official(root, [file])
    assert compared(spoken, root, imported) == ["q_00000_8k: question_audio, gold_json"]


def test_lacking_items_are_found(spoken: Exported, file: Path, root: Root) -> None:
    imported = import_official(root, [file])
    lines = differences(official_items(spoken.rows), imported_items(root, imported))
    assert len(lines) == 30
    assert lines[0] == "q_00000_16k: in one of them only"


# --- what is wrong is said ----------------------------------------------------------------------


def test_no_changed_byte_goes_unseen(spoken: Exported, file: Path, tmp_path: Path) -> None:
    """Wherever it is: the file is refused, or the byte carries nothing of the items."""
    sound = file.read_bytes()
    refusals = 0
    for step in range(25):
        data = bytearray(sound)
        data[step * (len(data) - 1) // 24] ^= 0x20
        file.write_bytes(data)
        root = open_root(tmp_path / f"root-{step}")
        try:
            imported = import_official(root, [file])
        except InputError:
            refusals += 1
        else:
            assert compared(spoken, root, imported) == []
    assert refusals > 15  # all but the first byte and some of the footer's statistics


def test_bytes_under_another_clips_name(file: Path, root: Root) -> None:
    def change(rows: Rows) -> None:
        audio = rows[0]["sessions"][0]["turns"][0]["audio"]
        audio["bytes"] = audio["bytes"][:-1] + b"x"

    rewrite(file, change)
    reason = left_out(root, file)["q_00000_8k"]
    assert re.fullmatch(r"the bytes of \w{64}\.flac are not those it names", reason)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_file(file: Path, root: Root, share: float) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    assert refused(root, file, match="cannot be read: ").item == str(file)


def test_a_file_that_is_no_parquet(root: Root, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("a, b\n")
    refused(root, tmp_path, match="cannot be read: .*Parquet")


def test_missing_columns_are_named(file: Path, root: Root) -> None:
    table = pq.read_table(file).drop_columns(["gold_json", "question_audio"])
    pq.write_table(table, file)
    error = refused(root, file, match="there is no question_audio, gold_json among item_id, ")
    assert "published layout" in str(error)


def test_missing_parts_of_sessions_are_named(file: Path, root: Root) -> None:
    table = pq.read_table(file)
    rows = table.column("sessions").to_pylist()
    for session in (session for sessions in rows for session in sessions):
        session["said"] = session.pop("turns")
    at = table.schema.get_field_index("sessions")
    pq.write_table(table.set_column(at, "sessions", pa.array(rows)), file)
    refused(root, file, match=r"there is no sessions\.turns among .*said")


def test_columns_of_another_type_are_named(file: Path, root: Root) -> None:
    table = pq.read_table(file)
    texts = [json.dumps({"turns": len(row)}) for row in table.column("sessions").to_pylist()]
    at = table.schema.get_field_index("sessions")
    pq.write_table(table.set_column(at, "sessions", pa.array(texts)), file)
    refused(root, file, match="sessions is string, not list<")


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("session_count", 6, "session_count is 6, and there are 5"),
        ("filler_session_count", 0, "filler_session_count is 0, and there are 1"),
        ("expected_response", "maybe", "expected_response is 'maybe', and must be one of: answer"),
        ("question_id", None, "question_id: Input should be a valid string"),
        ("sessions", None, "session_count is 5, and there are 0"),
        ("history_duration_seconds", float("nan"), "Input should be a finite number"),
    ],
)
def test_rows_that_contradict_themselves_are_left_out(
    file: Path, root: Root, column: str, value: object, said: str
) -> None:
    rewrite(file, lambda rows: rows[0].update({column: value}))
    found = left_out(root, file)
    assert found.keys() == {"q_00000_8k"}
    assert said in found["q_00000_8k"]


def test_a_row_without_an_id_is_named_by_its_place(file: Path, root: Root) -> None:
    rewrite(file, lambda rows: rows[1].update(item_id=None))
    found = left_out(root, file)
    assert found == {f"{file} row 2": "item_id: Input should be a valid string"}


def test_roles_that_do_not_add_up(file: Path, root: Root) -> None:
    rewrite(file, lambda rows: rows[0]["sessions"][4].update(role="evidence"))
    reason = left_out(root, file)["q_00000_8k"]
    assert reason.startswith("evidence_session_count is 2, and there are 3; filler_session_count")


def test_an_unknown_role(file: Path, root: Root) -> None:
    rewrite(file, lambda rows: rows[0]["sessions"][4].update(role="decoy"))
    reason = left_out(root, file)["q_00000_8k"]
    assert reason.startswith("session s_00000_")
    assert "the role 'decoy' is none of: evidence, samekey_haystack, " in reason


def test_no_row_is_an_item(file: Path, root: Root) -> None:
    rewrite(file, lambda rows: [row.update(session_count=9) for row in rows])
    refused(root, file, match="none of 2 rows is an item; q_00000_8k: session_count is 9")


def test_two_different_items_under_one_id_are_both_left_out(
    spoken: Exported, file: Path, root: Root
) -> None:
    rewrite(file, lambda rows: rows[0].update(question_text="How often?"))
    assert left_out(root, spoken.out, file) == {
        "q_00000_8k": "2 different items share this id: none of them is kept"
    }
    assert left_out(root, spoken.out) == {}


def test_what_an_earlier_import_kept_stays(
    spoken: Exported, file: Path, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "_BATCH", 1)
    kept = import_official(root, [file])
    (file.parent / "two.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="cannot be read"):
        import_official(root, [spoken.out / "data" / CONFIG, file.parent / "two.parquet"])
    assert compared(spoken, root, kept) == []


def test_nothing_to_import(file: Path, root: Root, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(root, empty, match="there is no Parquet file — name the folder of an export")
    with pytest.raises(UsageError, match="there is no such file or folder"):
        import_official(root, [tmp_path / "absent"])
    pq.write_table(pq.read_table(file).slice(0, 0), file)
    refused(root, file, match="the Parquet files have no rows")


def test_a_full_disk_keeps_no_half_part(spoken: Exported, root: Root) -> None:
    with largest_file(1_000), pytest.raises(StoreError):
        import_official(root, [spoken.out])
    assert root.tables.names() == []
    assert not list((root.path / ".partial").rglob("*"))
    assert import_official(root, [spoken.out]).items == 32
