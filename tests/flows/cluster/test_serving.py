"""Which server is started, and who may use it."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from flows.cluster.login import LOGIN
from flows.cluster.serving import is_loopback, served
from voxmem.errors import EngineError, UsageError

pytestmark = pytest.mark.usefixtures("home")

DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"


def test_on_the_loopback_address_nobody_logs_in(home: Path, port: int) -> None:
    found = served("127.0.0.1", port, None, None)
    assert found.login is None
    assert LOGIN not in found.environment
    assert list(home.iterdir()) == []
    assert found.environment["PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE"] == "100"
    assert found.environment["PREFECT_SERVER_DATABASE_DRIVER"] == "sqlite+aiosqlite"


def test_a_server_that_others_reach_makes_a_login_once_and_shows_it_to_nobody(
    home: Path, port: int
) -> None:
    first = served("0.0.0.0", port, None, None)
    assert first.login == home / "voxmem-login"
    assert stat.S_IMODE(first.login.stat().st_mode) == 0o600
    secret = first.environment[LOGIN]
    assert len(secret.removeprefix("voxmem:")) >= 32
    assert secret not in " ".join([*first.command, first.url])
    assert served("0.0.0.0", port, None, None).environment[LOGIN] == secret


def test_a_login_of_ones_own_is_kept(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOGIN, "me:mine")
    found = served("0.0.0.0", port, None, None)
    assert (found.login, found.environment[LOGIN]) == (None, "me:mine")


def test_a_database_that_a_server_cannot_use_is_refused_without_its_password(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE, "postgresql://u:hunter2@db/p")
    with pytest.raises(UsageError, match=r"postgresql\+asyncpg") as caught:
        served("127.0.0.1", port, None, None)
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv(DATABASE, "postgresql+asyncpg://u:p@db:hunter2/p")
    with pytest.raises(UsageError, match="is no address") as caught:
        served("127.0.0.1", port, None, None)
    assert "hunter2" not in str(caught.value)


def test_a_database_that_is_away_is_said_in_a_line_without_its_password(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as database:
        database.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{database.getsockname()[1]}"
        monkeypatch.setenv(DATABASE, f"postgresql+asyncpg://u:hunter2@{address}/p")
        with pytest.raises(EngineError, match="the database does not answer") as caught:
            served("127.0.0.1", port, None, None)
        assert caught.value.item == address
        assert "hunter2" not in str(caught.value)
        database.listen()
        found = served("127.0.0.1", port, None, None)
    assert found.environment["PREFECT_SERVER_DATABASE_DRIVER"] == "postgresql+asyncpg"
    for here in ("sqlite+aiosqlite:////srv/p.db", "postgresql+asyncpg:///p?host=/run/postgresql"):
        monkeypatch.setenv(DATABASE, here)
        served("127.0.0.1", port, None, None)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="in use"):
            served("127.0.0.1", taken.getsockname()[1], None, None)


def test_browsers_elsewhere_are_sent_to_the_public_address(port: int) -> None:
    found = served("127.0.0.1", port, "https://voxmem.lab/", None)
    assert found.url == found.environment["PREFECT_SERVER_UI_API_URL"] == "https://voxmem.lab/api"


@pytest.mark.parametrize("url", ["http://u:hunter2@x", "https://hunter2@x/", "u:hunter2@x"])
def test_a_login_in_the_public_address_is_refused_and_not_repeated(port: int, url: str) -> None:
    with pytest.raises(UsageError, match="--public-url") as caught:
        served("127.0.0.1", port, url, None)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False)],
)
def test_what_reaches_no_further_than_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
