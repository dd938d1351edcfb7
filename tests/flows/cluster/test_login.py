"""A login that every client, shell and header hands on as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.cluster.login import LOGIN, read_login
from flows.cluster.serving import served
from voxmem.errors import UsageError

pytestmark = pytest.mark.usefixtures("home")

NO_LOGIN = [
    b"",
    b"hunter2",
    b":",
    b"hunter2:",
    b":hunter2",
    b"user:hunter2\x00",
    b"user:hunter2\r\n",
    b" user:hunter2\n",
    b"user:hunter2 \n",
    b"user:hunt er2",
    b"user:hunter2:",
    b"user:hunter2\n\n",
    b"user:hunter2\nc:d",
    "user:hunter2ä".encode(),
    b"user:hunter2\xff",
]


@pytest.mark.parametrize("data", NO_LOGIN)
def test_a_file_without_a_login_is_refused_and_not_repeated(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "login"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(UsageError, match="holds no login") as caught:
        read_login(path)
    assert caught.value.item == str(path)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["nocolon", ":", "user:hunter2\n", "user:hünter2", "u: p"])
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_login_of_the_environment_is_checked_as_that_of_a_file(
    monkeypatch: pytest.MonkeyPatch, port: int, text: str, host: str
) -> None:
    monkeypatch.setenv(LOGIN, text)
    with pytest.raises(UsageError, match="holds no login") as caught:
        served(host, port, None, None)
    assert caught.value.item == LOGIN
    assert "nter2" not in str(caught.value)


def test_an_empty_login_is_none(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv(LOGIN, "")
    assert LOGIN not in served("127.0.0.1", port, None, None).environment


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_login_is_read_without_the_end_of_its_line(tmp_path: Path, end: str) -> None:
    path = tmp_path / "login"
    path.write_text(f"me:!hunter-2~{end}")
    path.chmod(0o600)
    assert read_login(path) == "me:!hunter-2~"


def test_what_is_no_file_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_login(tmp_path)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_login(tmp_path / "away")


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
