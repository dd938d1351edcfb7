"""The private workflow server: it runs flows, and it never outlives its command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from flows import engine as engine_module
from flows.engine import engine
from flows.lease import RECORD, end_left_behind, lease, record, started_at
from voxmem.errors import EngineError

COMMAND = """
import json, signal, sys, time
from pathlib import Path
# A shell that starts something in the background has it ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
from flows.engine import engine
with engine(sys.argv[1]):
    print(json.loads((Path(sys.argv[1]) / ".engine/server.json").read_text())["pid"], flush=True)
    time.sleep(120)
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One root for all tests that start a server: only the first creates its database."""
    return tmp_path_factory.mktemp("root")


def server_pid(root: Path) -> int:
    return int(json.loads((root / ".engine" / RECORD).read_text())["pid"])


def gone_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while started_at(pid) is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    return started_at(pid) is None


@pytest.mark.flow
def test_runs_a_flow_and_leaves_nothing_behind(root: Path) -> None:
    from prefect import flow, task

    @task
    def double(value: int) -> int:
        return 2 * value

    @flow
    def doubled() -> int:
        return sum(future.result() for future in double.map([1, 2, 3]))

    before = dict(os.environ)
    waited: list[float] = []
    with engine(root, progress=waited.append) as running:
        pid = server_pid(root)
        assert started_at(pid) is not None
        assert doubled() == 12
        assert running.url.startswith("http://127.0.0.1:")
    assert gone_within(pid, 1)
    assert waited == sorted(waited)
    assert len(waited) >= 2
    assert dict(os.environ) == before
    assert not (root / ".engine" / RECORD).exists()


@pytest.mark.flow
@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_server_dies_with_its_command(root: Path, sent: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as command:
        assert command.stdout is not None
        pid = int(command.stdout.readline())
        assert started_at(pid) is not None
        command.send_signal(sent)
        command.wait(timeout=20)
    assert gone_within(pid, 5)


@pytest.mark.flow
@pytest.mark.slow
def test_an_unusable_database_is_made_anew(tmp_path: Path) -> None:
    home = tmp_path / ".engine"
    home.mkdir()
    (home / "prefect.db").write_bytes(b"not a database" * 1000)
    with engine(tmp_path) as running:
        assert running.log is not None
    assert (home / "prefect.db").read_bytes().startswith(b"SQLite format 3")


@pytest.mark.flow
@pytest.mark.slow
def test_a_server_that_cannot_start_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE"
    monkeypatch.setitem(engine_module.SERVER_SETTINGS, name, "many")
    expected = pytest.raises(EngineError, match=r"ended at its start: .+ — see .*server\.log")
    with expected, engine(tmp_path):
        pytest.fail("no server can run with this setting")
    assert not (tmp_path / ".engine" / RECORD).exists()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineError, match="make the root writable"), engine(tmp_path / "file"):
        pytest.fail("a file cannot be a root")


@pytest.mark.parametrize("root", ["s3://bucket/a", "s3:/bucket/a", Path("s3://bucket/a")])
def test_a_root_in_a_bucket_has_no_folder_here(
    root: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with engine_module._home(root) as home:
        assert home.is_dir()
        assert tmp_path not in home.parents
    assert not home.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_root_in_a_folder_holds_the_engine_however_it_is_named(tmp_path: Path) -> None:
    for root in (tmp_path, str(tmp_path), tmp_path.as_uri()):
        with engine_module._home(root) as home:
            assert home == tmp_path / ".engine"


def test_errors_of_the_block_pass_unchanged(monkeypatch: pytest.MonkeyPatch, health: str) -> None:
    monkeypatch.setenv("PREFECT_API_URL", health)
    with pytest.raises(FileNotFoundError), engine("unused"):
        Path("no/such/file").read_text()


@pytest.fixture
def health() -> Iterator[str]:
    """The address of a server that answers every request with 200."""

    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/api"
    server.shutdown()
    server.server_close()


def test_a_given_server_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, health: str
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", health)
    with engine(tmp_path) as running:
        assert running == engine_module.Engine(health)
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_given_server_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    expected = pytest.raises(EngineError, match=r"no workflow server answers at .*:9/api.*unset")
    with expected, engine(tmp_path):
        pytest.fail("nothing listens there")


def test_one_process_holds_the_lease(tmp_path: Path) -> None:
    with lease(tmp_path) as first, lease(tmp_path) as second:
        assert (first, second) == (True, False)
    with lease(tmp_path) as third:
        assert third


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


def test_a_recorded_server_is_ended(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    record(tmp_path, sleeper.pid)
    assert end_left_behind(tmp_path) == sleeper.pid
    assert sleeper.wait(timeout=5) == -signal.SIGKILL
    assert end_left_behind(tmp_path) is None


def test_a_pid_used_again_is_left_alone(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    (tmp_path / RECORD).write_text(json.dumps({"pid": sleeper.pid, "started": "1"}))
    assert end_left_behind(tmp_path) is None
    assert sleeper.poll() is None


@pytest.mark.parametrize("content", ["", "[]", '{"pid": 4}', '{"pid": "x", "started": "1"}'])
def test_an_unreadable_record_is_dropped(tmp_path: Path, content: str) -> None:
    (tmp_path / RECORD).write_text(content)
    assert end_left_behind(tmp_path) is None
    assert not (tmp_path / RECORD).exists()
