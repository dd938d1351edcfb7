"""Exports: shards and row groups, whole or not at all, and never much in memory."""

from __future__ import annotations

import contextlib
import resource
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.interop.builders import tiny_release
from tests.interop.conftest import Exported
from voxmem.errors import CorruptObject, InputError, StoreError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.official import write
from voxmem.interop.official.compare import differences
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.export import export_official
from voxmem.interop.official.load import import_units, imported_items
from voxmem.interop.official.read import parquet_units
from voxmem.speech.clips import question_spec
from voxmem.store.root import Root, open_root

MIB = 2**20


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process grows beyond ``size`` bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def groups(files: list[Path]) -> list[tuple[int, int]]:
    """Rows and bytes, before compression, of every row group."""
    footers = [pq.ParquetFile(file).metadata for file in files]
    every = [footer.row_group(at) for footer in footers for at in range(footer.num_row_groups)]
    return [(group.num_rows, group.total_byte_size) for group in every]


# --- what is written ----------------------------------------------------------------------------


def test_progress_goes_up_to_all_items(spoken: Exported, tmp_path: Path) -> None:
    said: list[tuple[int, int]] = []
    counts = export_official(spoken.rows, tmp_path / "out", lambda *each: said.append(each))
    assert said == [(done, 32) for done in range(1, 33)]
    assert counts == spoken.counts
    assert sum(counts.values()) == len(spoken.rows.histories) == 32


def test_row_groups_and_shards_are_cut(
    spoken: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tiny_release(open_root(tmp_path / "root"), copies=3)
    monkeypatch.setattr(write, "ROW_GROUP_BYTES", 120_000)
    monkeypatch.setattr(write, "SHARD_BYTES", 250_000)
    export_official(rows, tmp_path / "out")
    files = sorted((tmp_path / "out" / "data" / "8k_speech_semantics").iterdir())
    assert len(files) > 1
    count = len(files)
    assert [file.name for file in files] == [
        f"train-{at:05d}-of-{count:05d}.parquet" for at in range(count)
    ]
    every = groups(files)
    assert sum(group[0] for group in every) == 6
    assert max(group[0] for group in every) > 1
    assert all(size <= 125_000 for _, size in every)
    assert all(file.stat().st_size <= 280_000 for file in files)
    assert _same(rows, tmp_path / "out")


def test_a_row_beyond_the_limit_has_its_own_group(
    spoken: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "ROW_GROUP_BYTES", 10)
    export_official(spoken.rows, tmp_path / "out")
    files = sorted((tmp_path / "out").rglob("*.parquet"))
    assert [group[0] for group in groups(files)] == [1] * 32
    assert _same(spoken.rows, tmp_path / "out")


def test_limits_are_those_that_hubs_ask_for() -> None:
    assert write.ROW_GROUP_BYTES < 100 * MIB
    assert write.SHARD_BYTES <= 500 * MIB


@pytest.mark.slow
def test_no_more_than_a_row_group_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tiny_release(open_root(tmp_path / "root"), copies=8, seconds=0.5)
    assert len(list(official_items(rows))) == 256  # reads the tables, which stay in memory
    limit = 2 * MIB
    monkeypatch.setattr(write, "ROW_GROUP_BYTES", limit)
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    before = pa.default_memory_pool()
    pa.set_memory_pool(pool)
    tracemalloc.start()
    try:
        export_official(rows, tmp_path / "out")
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)
    size = sum(file.stat().st_size for file in (tmp_path / "out").rglob("*.parquet"))
    assert size > 20 * limit
    assert pool.max_memory() < 2 * limit
    assert held < 2 * limit
    largest = max(size for _, size in groups(sorted((tmp_path / "out").rglob("*.parquet"))))
    assert limit / 2 < largest < 1.04 * limit


# --- what goes wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["data", "README.md", "croissant.json"])
def test_nothing_is_overwritten(spoken: Exported, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=f"holds {name} already — name a new folder"):
        export_official(spoken.rows, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_other_files_stay(spoken: Exported, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    export_official(spoken.rows, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert _same(spoken.rows, tmp_path)


def test_a_full_disk_leaves_nothing_behind(spoken: Exported, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with largest_file(50_000), pytest.raises(StoreError, match="cannot be written: ") as caught:
        export_official(spoken.rows, out)
    assert caught.value.item == str(out)
    assert "free space" in str(caught.value)
    assert not out.exists()
    export_official(spoken.rows, out)
    assert _same(spoken.rows, out)


def test_a_card_that_does_not_fit_leaves_nothing_behind(
    spoken: Exported, text_only: Exported, tmp_path: Path
) -> None:
    largest = max(file.stat().st_size for file in text_only.files)
    assert largest < 30_000 < (text_only.out / "croissant.json").stat().st_size
    tmp_path.joinpath("mine").touch()
    with largest_file(30_000), pytest.raises(StoreError, match="cannot be written"):
        export_official(text_only.rows, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_the_way(spoken: Exported, tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(StoreError, match="cannot be written: "):
        export_official(spoken.rows, tmp_path / "out")
    assert (tmp_path / "out").is_file()


def test_what_a_killed_export_left_is_cleared(spoken: Exported, tmp_path: Path) -> None:
    left = tmp_path / ".partial" / "data" / "8k_speech_semantics"
    left.mkdir(parents=True)
    (left / "0.parquet").write_bytes(b"PAR1")
    export_official(spoken.rows, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "README.md",
        "croissant.json",
        "data",
    ]
    assert _same(spoken.rows, tmp_path)


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_clip_that_is_not_there(spoken: Exported, tmp_path: Path, damage: str) -> None:
    root = tmp_path / "root"
    shutil.copytree(spoken.rows.root.path, root)
    rows = ReleaseRows(open_root(root), spoken.rows.release)
    clip = rows.clip(question_spec(rows.questions["q_00003"]))
    path = rows.root.objects.path_or_none(clip.sha256)
    assert path is not None
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError if damage == "missing" else CorruptObject) as caught:
        export_official(rows, tmp_path / "out")
    assert caught.value.item == clip.sha256
    assert not (tmp_path / "out").exists()


def test_a_release_without_items(spoken: Exported, root: Root, tmp_path: Path) -> None:
    rows = ReleaseRows(root, spoken.rows.release)
    rows.__dict__.update(histories=[], questions={})
    with pytest.raises(InputError, match="the release has no items to export"):
        export_official(rows, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def _same(rows: ReleaseRows, out: Path) -> bool:
    imported = import_units(rows.root, parquet_units([out]))
    found = list(imported_items(rows.root, imported))
    return len(found) == len(rows.histories) and not differences(official_items(rows), found)
