"""Copies on the local disk: what was handed out stays, whatever becomes of the cache."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.store.conftest import REPOSITORY
from tests.store.servers import BUCKET, settings
from voxmem.errors import StoreError, UsageError
from voxmem.records import Turn
from voxmem.store import Root, files, open_root
from voxmem.store.cache import writable_cache
from voxmem.store.copies import LIMIT, Copies, open_copies
from voxmem.store.duck import sql

Use = Callable[[dict[str, str]], None]
SHAS = [f"{n:064x}" for n in range(20)]


def used(root: Root) -> None:
    """A query over many parts, and many files at once, as a report asks for them."""
    for n in range(5):
        root.tables.write("turns", f"part-{n}", [Turn(role="user", text=f"hello {n}")], Turn)
    query = "select count(distinct text) as n from turns"
    assert sql(root.tables, query).to_pylist() == [{"n": 5}]
    shas = [root.objects.put(bytes([n]) * 100_000) for n in range(10)]
    paths = [root.objects.path_or_none(sha) for sha in shas]
    assert [path and path.read_bytes() for path in paths] == [
        bytes([n]) * 100_000 for n in range(10)
    ]


@pytest.mark.parametrize("gigabytes", ["0", "1e-9", "2e-4", "-1", "inf"])
def test_what_is_handed_out_stays_under_any_limit(
    moto_server: str, use: Use, gigabytes: str
) -> None:
    use({**settings(moto_server), LIMIT: gigabytes})
    used(open_root(f"s3://{BUCKET}/limit{gigabytes}"))


def test_a_limit_that_is_not_a_number_of_any_kind(use: Use) -> None:
    use({LIMIT: "nan"})
    with pytest.raises(UsageError, match="VOXMEM_CACHE_GB is 'nan', which is no number"):
        open_copies()


def test_a_cache_that_cannot_be_written_is_done_without(
    moto_server: str, use: Use, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    use({**settings(moto_server), "VOXMEM_CACHE": str(tmp_path / "file")})
    with caplog.at_level(logging.WARNING):
        used(open_root(f"s3://{BUCKET}/no-cache"))
        open_root(f"s3://{BUCKET}/no-cache/either").objects.put(b"speech")
    (line,) = caplog.messages
    assert f"the cache {tmp_path / 'file'} cannot be written" in line
    assert "name another folder in VOXMEM_CACHE" in line
    assert (tmp_path / "file").read_text() == "not a folder"


def test_a_cache_on_a_full_disk_is_done_without(
    use: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    use({})
    with caplog.at_level(logging.WARNING), Path("/dev/full").open("wb") as full:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir: full)
        assert tmp_path not in writable_cache("reports").parents
    (line,) = caplog.messages
    assert f"the cache {tmp_path / 'cache'} cannot be written (No space left on device)" in line


@pytest.mark.parametrize("room", ["for a folder", "for nothing"])
def test_a_cache_that_is_full_lends_from_a_temporary_folder(
    moto_server: str,
    use: Use,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    room: str,
) -> None:
    cache, write = tmp_path / "cache", files.write_whole

    def full(root: Path, path: Path, data: bytes, *, durable: bool) -> None:
        if cache in path.parents:
            raise StoreError(f"cannot write {path}: the disk is full", remedy="free some space")
        write(root, path, data, durable=durable)

    if room == "for nothing":
        (cache / "store").mkdir(parents=True)
        (cache / "store" / "lent").write_text("no folder can be made here")
    use(settings(moto_server))
    monkeypatch.setattr(files, "write_whole", full)
    with caplog.at_level(logging.WARNING):
        used(open_root(f"s3://{BUCKET}/full-cache"))
    (line,) = [each for each in caplog.messages if "the cache" in each]
    assert f"the cache {cache / 'store'} cannot be written (no file could be made in it)" in line


def test_a_folder_that_cannot_be_made_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make = Path.mkdir

    def full(path: Path, **options: Any) -> None:
        if path.parent.name == "lent":
            raise OSError(errno.ENOSPC, "full", str(path))
        make(path, **options)

    monkeypatch.setattr(Path, "mkdir", full)
    before = len(os.listdir("/dev/fd"))
    lent = Copies(tmp_path, 0).file(SHAS[0], b"speech")
    assert lent.read_bytes() == b"speech"
    assert tmp_path not in lent.parents
    assert os.listdir(tmp_path / "lent") == []
    assert len(os.listdir("/dev/fd")) == before


LENDER = """
import sys
from pathlib import Path
from voxmem.store.cache import writable_cache
from voxmem.store.copies import Copies
copies = Copies(Path(sys.argv[1]), 1e9)
copies.keep(sys.argv[2], b"speech")
print(copies.file(sys.argv[2], b"speech"), flush=True)
sys.stdin.read()
"""


def test_what_another_process_was_handed_out_stays_until_it_ends(tmp_path: Path) -> None:
    with lender(tmp_path) as (process, lent):
        assert lent.stat().st_nlink == 2, "it is no second copy"
        full = Copies(tmp_path, 100_000)
        for sha in SHAS[1:]:
            full.keep(sha, bytes(50_000))
        assert not full.has(SHAS[0]), "it was dropped"
        aged(lent)
        full.file(SHAS[1], bytes(50_000))
        assert lent.read_bytes() == b"speech", "its process lives"
        process.communicate()
        assert not lent.parent.exists()
        assert not lent.parent.with_suffix(".lock").exists()


def test_what_a_process_leaves_that_is_killed_is_swept(tmp_path: Path) -> None:
    with lender(tmp_path) as (process, lent):
        process.kill()
        process.wait()
        assert lent.exists()
        aged(lent)
        Copies(tmp_path, 1e9).file(SHAS[1], b"other")
        assert not lent.parent.exists()
        assert not lent.parent.with_suffix(".lock").exists()


@contextmanager
def lender(cache: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that was handed out a file, and that file; it ends when its input does."""
    with subprocess.Popen(
        [sys.executable, "-c", LENDER, str(cache), SHAS[0]],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())


def aged(lent: Path) -> None:
    """As if its process had begun long ago."""
    os.utime(lent.parent.with_suffix(".lock"), (1_600_000_000, 1_600_000_000))
