"""What a doctor sees on a machine."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from voxmem.errors import StoreError
from voxmem.health import CHECKS, Finding, Place, examine, machine
from voxmem.health.clock import clock_against


def by_name(place: Place) -> dict[str, Finding]:
    return {each.name: each for each in examine(CHECKS, place)}


def test_a_folder_that_is_not_there_yet_is_well_and_not_made(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    found = by_name(Place(str(folder)))
    assert found["root"].status == found["disk of the root"].status == "ok"
    assert not (tmp_path / "a").exists()


def test_a_file_in_the_place_of_the_root_is_wrong_and_ends_no_other_check(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = by_name(Place(str(tmp_path / "file")))
    assert found["root"].status == "wrong"
    assert found["root"].remedy
    assert "catalogue of models" in found


def test_a_catalogue_with_an_error_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.yaml").write_text("models: [")
    monkeypatch.setenv("VOXMEM_MODELS", str(tmp_path / "models.yaml"))
    found = by_name(Place(str(tmp_path)))["catalogue of models"]
    assert found.status == "wrong"
    assert "models.yaml" in found.what
    assert found.remedy == "correct the catalogue"


def test_a_bucket_without_its_package_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_is_installed", lambda module: module != "boto3")
    [found] = machine.packages(Place("s3://bucket/prefix"))
    assert (found.status, found.remedy) == (
        "wrong",
        "pip install 'voxmem[s3]' for a root in a bucket",
    )


@pytest.mark.parametrize(("free", "status"), [(5e8, "wrong"), (5e9, "warn"), (5e10, "ok")])
def test_little_space_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, status: str
) -> None:
    monkeypatch.setattr(
        machine.shutil, "disk_usage", lambda path: type("Usage", (), {"free": free})
    )
    assert {each.status for each in machine.disk(Place(str(tmp_path)))} == {status}


@pytest.mark.parametrize(
    ("off", "status", "side"),
    [(2, "ok", "ahead"), (-90, "warn", "behind"), (3600, "wrong", "ahead")],
)
def test_a_clock_that_is_off_is_said(off: float, status: str, side: str) -> None:
    now = 1_700_000_000.0
    found = clock_against("the server", formatdate(now, usegmt=True), now=now + off)
    assert found.status == status
    assert found.what == f"this machine is {abs(off)} s {side}"


def test_a_check_that_cannot_be_carried_out_is_wrong() -> None:
    def some_disk(place: Place) -> Iterator[Finding]:
        raise StoreError("is gone", item="/data", remedy="mount it")
        yield

    [found] = examine([some_disk], Place("x"))
    assert found.line() == "wrong  some disk: /data: is gone — mount it"
