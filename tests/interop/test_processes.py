"""Imports in processes of their own: how much memory they take, and what a kill leaves."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.interop.foreign import file_of, item, noise
from voxmem.interop.official.dataset import import_official
from voxmem.store.release import verify
from voxmem.store.root import open_root

MIB = 2**20
_IMPORT = """
import json, pathlib, re, sys
from voxmem.interop.official.dataset import import_official
from voxmem.interop.official.hub import hub_units
from voxmem.interop.official.load import import_units
from voxmem.store.root import open_root

def peak():
    # Of this program alone: ru_maxrss remembers the process that started it.
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) * 1024

how, folder, root, warm = sys.argv[1:]
def read(source, root):
    if how == "files":
        return import_official(open_root(root), [source]).imported
    return import_units(open_root(root), hub_units(source)[0])
read(warm, root + "-warm")
before = peak()
done = read(folder, root)
print(json.dumps({"grown": peak() - before, "items": done.items, "bytes": done.bytes_in}))
"""


def dataset(folder: Path, rows: int, seconds: float) -> int:
    """One file with one row group; returns the bytes of a row."""
    (folder / "8k").mkdir(parents=True)
    readme = "---\nconfigs:\n- config_name: 8k\n  data_files: 8k/*.parquet\n---\n"
    (folder / "README.md").write_text(readme)

    def row(number: int) -> pa.Table:
        made = item(f"q_{number:05d}")
        for session in made["sessions"]:
            for turn in session["turns"]:
                if turn["audio"]:
                    turn["audio"] = {
                        "bytes": file_of(noise(f"{number} {turn['text']}", seconds)),
                        "path": None,
                    }
        return pa.Table.from_pylist([made])

    table = pa.concat_tables([row(number) for number in range(rows)], promote_options="default")
    file = folder / "8k" / "train.parquet"
    pq.write_table(table, file, row_group_size=rows, compression="none", use_dictionary=False)
    footer = pq.ParquetFile(file).metadata
    assert footer.num_row_groups == 1
    return int(footer.row_group(0).total_byte_size) // rows


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The import, begun."""
    return subprocess.Popen(
        [sys.executable, "-c", _IMPORT, *arguments],
        cwd=folder,
        env={
            "HF_HUB_OFFLINE": "1",
            "HF_HOME": str(folder / "home"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_killed_import_goes_on(tmp_path: Path) -> None:
    dataset(tmp_path / "warm", 2, 0.2)
    dataset(tmp_path / "data", 40, 4.0)
    objects = tmp_path / "root" / "objects"
    with started(tmp_path, "files", "data", "root", "warm") as process:
        while len(list(objects.glob("??/*"))) < 50:
            assert process.poll() is None, "it was over before it was killed"
            time.sleep(0.002)
        process.kill()
    kept = {file: file.stat().st_mtime_ns for file in objects.glob("??/*")}
    root = open_root(tmp_path / "root")
    assert root.releases() == []
    done = import_official(root, [tmp_path / "data"])
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    fresh = import_official(open_root(tmp_path / "fresh"), [tmp_path / "data"])
    assert done.release == fresh.release
    assert done.release is not None
    assert len(kept) < done.release.counts["clips"]
    assert verify(root, done.release) == []


@pytest.mark.slow
@pytest.mark.parametrize("how", ["files", "stream"])
def test_a_row_group_of_hundreds_of_megabytes(tmp_path: Path, how: str) -> None:
    dataset(tmp_path / "warm", 2, 0.2)
    size = dataset(tmp_path / "data", 60, 25.0)
    assert 60 * size > 400 * MIB
    with started(tmp_path, how, "data", "root", "warm") as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    found = json.loads(out.splitlines()[-1])
    assert found["items"] == 60
    assert found["bytes"] > 400 * MIB
    print(f"{how}: {found['grown'] / MIB:.0f} MiB for rows of {size / MIB:.1f} MiB")
    assert found["grown"] < 20 * size
