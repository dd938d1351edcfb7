"""What a doctor sees on a machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from tests.store import faults
from tests.store.servers import moto, settings
from voxmem.errors import StoreError
from voxmem.health import CHECKS, Finding, Place, examine, machine
from voxmem.health.clock import clock_against
from voxmem.health.store import store_clock
from voxmem.store import s3


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


def test_a_check_that_breaks_is_wrong_and_shows_no_secret() -> None:
    def some_disk(place: Place) -> Iterator[Finding]:
        yield Finding("some disk", "ok", "is there")
        raise RuntimeError("hidden")

    there, broken = examine([some_disk], Place("x"))
    assert (there.status, broken.status) == ("ok", "wrong")
    assert "hidden" not in broken.line()
    assert "some disk: this check failed: RuntimeError (test_checks.py, line" in broken.line()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """An environment without settings of an object store."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path))
    return monkeypatch


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"AWS_ENDPOINT_URL": "localhost:9"}, "does not begin with http:// or https://"),
        ({"AWS_PROFILE": "nope"}, "there is no such profile of credentials — check AWS_PROFILE"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "http://127.0.0.1:9 could not be reached"),
    ],
)
def test_a_store_that_cannot_be_asked_for_its_time_is_wrong(
    alone: pytest.MonkeyPatch, named: dict[str, str], words: str
) -> None:
    for name, value in (settings("http://127.0.0.1:9") | named).items():
        alone.setenv(name, value)
    [found] = examine([store_clock], Place("s3://bucket/p"))
    assert found.status == "wrong"
    assert words in found.line()


def test_a_store_without_its_package_tells_no_time(alone: pytest.MonkeyPatch) -> None:
    alone.setattr(s3, "find_spec", lambda name: None)
    [found] = examine([store_clock], Place("s3://bucket/p"))
    assert found.line().endswith("pip install voxmem[s3]")


@pytest.mark.parametrize(("seconds", "status"), [(0, "ok"), (-90, "warn"), (3600, "wrong")])
def test_the_clock_of_a_store_that_refuses_us_is_looked_at(
    alone: pytest.MonkeyPatch, seconds: int, status: str
) -> None:
    def refused(_method: str, _path: str, answer: faults.Answer) -> faults.Answer:
        date = formatdate(time.time() + seconds, usegmt=True)
        return faults.Answer(403, {"Date": date}, b"<Error><Code>AccessDenied</Code></Error>")

    with moto() as endpoint, faults.proxy(endpoint) as proxy:
        proxy.fault = refused
        for name, value in settings(proxy.endpoint).items():
            alone.setenv(name, value)
        [found] = examine([store_clock], Place("s3:/bucket/p"))
    assert found.name == "clock against the object store"
    assert found.status == status
