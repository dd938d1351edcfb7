"""Which server is started, and who may use it."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from flows.cluster.serving import LOGIN, is_loopback, read_login, served
from voxmem.errors import UsageError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    for name in (LOGIN, "PREFECT_SERVER_DATABASE_CONNECTION_URL", "PREFECT_SERVER_UI_API_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
    return found


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


@pytest.mark.parametrize("text", ["", "no colon", "user:", ":password", "a:b\nc:d"])
def test_a_file_without_a_login_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "login").write_text(text)
    (tmp_path / "login").chmod(0o600)
    with pytest.raises(UsageError, match="holds no login"):
        read_login(tmp_path / "login")


@pytest.mark.parametrize("own", [True, False])
def test_a_login_that_others_can_read_is_refused(home: Path, port: int, own: bool) -> None:
    login = home / ("voxmem-login" if own else "named")
    login.write_text("me:hunter2")
    login.chmod(0o640)
    with pytest.raises(UsageError, match=f"chmod 600 {login}") as caught:
        served("0.0.0.0", port, None, None if own else login)
    assert "hunter2" not in str(caught.value)
    login.chmod(0o600)
    assert served("0.0.0.0", port, None, login).environment[LOGIN] == "me:hunter2"


def test_a_database_that_a_server_cannot_use_is_refused_without_its_password(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_SERVER_DATABASE_CONNECTION_URL", "postgresql://u:hunter2@db/p")
    with pytest.raises(UsageError, match=r"postgresql\+asyncpg") as caught:
        served("127.0.0.1", port, None, None)
    assert "hunter2" not in str(caught.value)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="in use"):
            served("127.0.0.1", taken.getsockname()[1], None, None)


def test_browsers_elsewhere_are_sent_to_the_public_address(port: int) -> None:
    found = served("127.0.0.1", port, "https://voxmem.lab/", None)
    assert found.url == found.environment["PREFECT_SERVER_UI_API_URL"] == "https://voxmem.lab/api"


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False)],
)
def test_what_reaches_no_further_than_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
