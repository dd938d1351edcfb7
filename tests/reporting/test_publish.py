"""A report that is written into a bucket, by way of a folder of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.servers import BUCKET, moto, settings
from voxmem import reporting
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.evaluate.job import Job
from voxmem.store.blobs import Blobs
from voxmem.store.root import open_root

JOB = Job(systems=("oracle", "abstain"))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with moto() as found:
        yield found


@pytest.fixture
def bucket(endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty prefix."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in settings(endpoint).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))
    return f"s3://{BUCKET}/{tmp_path.name}"


def write(rows: ReleaseRows, out: str | None) -> str:
    return reporting.publish_report(rows, JOB, reporting.Wanted(), out)


def names(blobs: Blobs) -> set[str]:
    return {entry.name for entry in blobs.walk()}


def test_a_report_of_a_folder_in_a_bucket(finished_demo: Path, bucket: str) -> None:
    rows = open_release(str(finished_demo), "demo")
    there = open_root(f"{bucket}/site").blobs
    folded = str(Path(bucket, "site"))  # of its two slashes one is left
    assert write(rows, folded) == f"{bucket}/site/index.html"
    written = names(there)
    assert {"index.html", "leaderboard.html", "data/items.js"} <= written
    # Its root is elsewhere, so it brings the clips along.
    assert any(name.startswith("audio/") for name in written)
    assert (there.read("index.html") or b"").startswith(b"<!doctype html>")


def test_what_has_changed_is_sent_and_what_is_left_over_removed(
    finished_demo: Path, bucket: str, tmp_path: Path
) -> None:
    folder, there = tmp_path / "site", open_root(f"{bucket}/mirror").blobs
    for name, data in {"index.html": b"1", "data/a.js": b"2", "data/b.js": b"3"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    listing = folder / ".report-files"
    listing.write_text("index.html\ndata/a.js\ndata/b.js\n")
    there.write("mine.txt", b"not a report's")
    assert reporting.mirror(folder, there) == 3
    assert reporting.mirror(folder, there) == 0
    (folder / "data/a.js").write_bytes(b"4")
    listing.write_text("index.html\ndata/a.js\n")
    assert reporting.mirror(folder, there) == 1
    assert names(there) == {"index.html", "data/a.js", "mine.txt"}
    assert there.read("data/a.js") == b"4"


def test_a_report_below_its_own_root_plays_the_clips_of_the_root_and_needs_no_cache(
    finished_demo: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("not a folder")
    monkeypatch.setenv("VOXMEM_CACHE_GB", "0")
    here, there = open_root(finished_demo).blobs, open_root(bucket).blobs
    for entry in here.walk():
        if not entry.name.startswith("report/"):
            there.write(entry.name, here.read(entry.name) or b"")
    rows = open_release(bucket, "demo")
    assert write(rows, None) == f"{bucket}/report/index.html"
    written = names(open_root(f"{bucket}/report").blobs)
    assert not any(name.startswith("audio/") for name in written)
    question = next(name for name in sorted(written) if name.startswith("data/questions/"))
    said = there.read(f"report/{question}") or b""
    assert b"../objects/" in said
    played = said.split(b"../objects/")[1].split(b'"')[0].decode()
    assert there.size(f"objects/{played}")
