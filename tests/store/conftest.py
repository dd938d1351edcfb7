"""Records with every kind of field, and roots of each kind to keep them in."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import strategies as st

from tests.store.servers import BUCKET, Rclone, moto, rclone, settings
from voxmem.records import Record
from voxmem.store import Root, open_root

REPOSITORY = Path(__file__).parents[2]


class Colour(StrEnum):
    RED = "red"
    BLUE = "deep blue"


class Inner(Record):
    """A nested record."""

    when: datetime
    value: str | int
    note: str | None = None


class Everything(Record):
    """One field of each kind that a table knows."""

    name: str
    count: int
    share: float
    flag: bool
    when: datetime
    day: date | None
    colour: Colour
    choice: Literal["a", "b"] | None
    mixed: str | int | None
    gold: str | int | tuple[str, ...] | None
    inner: Inner | None
    inners: tuple[Inner, ...]
    span: tuple[int, int] | None
    weights: dict[str, float]
    perhaps: float | None = None


# ISO 8601 has no word for `fold`, the second of two equal readings of a wall clock.
zones = st.sampled_from([None, UTC, timezone(timedelta(hours=-3, minutes=-30))])
moments = st.datetimes(timezones=zones).map(lambda moment: moment.replace(fold=0))
inners = st.builds(Inner, when=moments, value=st.text() | st.integers(), note=st.none() | st.text())
everythings = st.builds(
    Everything,
    name=st.text(),
    count=st.integers(-(2**63), 2**63 - 1),
    share=st.floats(allow_nan=False),
    flag=st.booleans(),
    when=moments,
    day=st.none() | st.dates(),
    colour=st.sampled_from(Colour),
    choice=st.sampled_from(["a", "b", None]),
    mixed=st.none() | st.text() | st.integers(),
    gold=st.none() | st.text() | st.integers() | st.lists(st.text()).map(tuple),
    inner=st.none() | inners,
    inners=st.lists(inners, max_size=3).map(tuple),
    span=st.none() | st.tuples(st.integers(), st.integers()),
    weights=st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False)),
    perhaps=st.none() | st.floats(allow_nan=False),
)

SAMPLE = Everything(
    name="naïve — “x”\n\0",
    count=2**62 + 1,
    share=math.inf,
    flag=True,
    when=datetime(2024, 5, 1, 10, 30, 0, 123456),
    day=date(2024, 2, 29),
    colour=Colour.BLUE,
    choice="b",
    mixed="5",
    gold=("1", "2"),
    inner=Inner(when=datetime(2024, 5, 1, tzinfo=UTC), value=5),
    inners=(Inner(when=datetime(1, 1, 1), value="5", note=""),),
    span=(3, 7),
    weights={"b": 0.1, "a": -0.0},
)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return open_root(tmp_path / "root")


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Starts a Python program of its own, with arguments, on this source tree."""

    def run(program: str, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


@pytest.fixture(scope="session")
def moto_server() -> Iterator[str]:
    """The endpoint of a server that decides who is first."""
    with moto() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def rclone_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rclone]:
    """A server that checks signatures, ignores conditions and keeps its objects as files."""
    with rclone(tmp_path_factory.mktemp("buckets")) as server:
        yield server


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[dict[str, str]], None]:
    """Sets the environment of a client, and a cache of its own."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))

    def chosen(environment: dict[str, str]) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

    return chosen


@pytest.fixture
def bucket(moto_server: str, use: Callable[[dict[str, str]], None]) -> Root:
    """An empty root in a bucket."""
    use(settings(moto_server))
    return open_root(f"s3://{BUCKET}/{uuid.uuid4().hex}")


@pytest.fixture(params=["folder", "moto", pytest.param("rclone", marks=pytest.mark.s3)])
def any_root(request: pytest.FixtureRequest, use: Callable[[dict[str, str]], None]) -> Root:
    """An empty root of each kind."""
    if request.param == "folder":
        root: Root = request.getfixturevalue("root")
        return root
    server = request.getfixturevalue(f"{request.param}_server")
    use(settings(server if isinstance(server, str) else server.endpoint))
    return open_root(f"s3://{BUCKET}/a/{uuid.uuid4().hex}")
