"""How much memory an import takes, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.interop.foreign import file_of, item, noise

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


@pytest.mark.slow
@pytest.mark.parametrize("how", ["files", "stream"])
def test_a_row_group_of_hundreds_of_megabytes(tmp_path: Path, how: str) -> None:
    dataset(tmp_path / "warm", 2, 0.2)
    size = dataset(tmp_path / "data", 60, 25.0)
    assert 60 * size > 400 * MIB
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT, how, "data", "root", "warm"],
        cwd=tmp_path,
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"), "PATH": "",
             "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["items"] == 60
    assert found["bytes"] > 400 * MIB
    print(f"{how}: {found['grown'] / MIB:.0f} MiB for rows of {size / MIB:.1f} MiB")
    assert found["grown"] < 20 * size
