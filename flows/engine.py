"""A Prefect API for one computing command.

With ``PREFECT_API_URL`` set, that server is used. Without it, a private server is started for the
command and ended with it: on success, on errors, on signals, and after ``kill -9``. Its database
stays under the root, so that later commands start twice as fast. This module does not import
Prefect until the server is on its way: both take seconds, and they pass together.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from flows.address import no_answer
from flows.lease import end_left_behind, forget, lease, record
from voxmem.errors import EngineError
from voxmem.store.root import folder_of

Progress = Callable[[float], None]

STAGE = "engine"
TAG = "voxmem"
"""Of all our runs on a server: its automations look at no others."""
FOLDER = ".engine"
START_SECONDS = 180.0  # a first start takes 15 s on an idle machine
STOP_SECONDS = 5.0

CLIENT_SETTINGS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    "PREFECT_CLIENT_MAX_RETRIES": "10",
    "PREFECT_RESULTS_DEFAULT_SERIALIZER": "json",
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
}

# A private server has no dashboard, schedules, workers or automations: it only records runs.
_IDLE_SERVICES = (
    "CANCELLATION_CLEANUP",
    "CLEANUP_RECONCILER",
    "EVENT_PERSISTER",
    "FOREMAN",
    "LATE_RUNS",
    "PAUSE_EXPIRATIONS",
    "REPOSSESSOR",
    "SCHEDULER",
    "TRIGGERS",
)
SERVER_SETTINGS = {
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT__SERVER_FINAL": "1",
    "PREFECT_UI_ENABLED": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    **{f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false" for name in _IDLE_SERVICES},
}


@dataclass(frozen=True)
class Engine:
    """The API in use: its address, and the log of the server if it is our own."""

    url: str
    log: Path | None = None


def configure_environment(home: Path | None = None) -> None:
    """Set Prefect's client settings where the caller's environment does not; before its import.

    Args:
        home: Folder of Prefect's own files; None leaves the user's.
    """
    for name, value in CLIENT_SETTINGS.items():
        os.environ.setdefault(name, value)
    if home is not None:
        os.environ.setdefault("PREFECT_HOME", str(home))


@contextmanager
def engine(root: Path | str, *, progress: Progress | None = None) -> Iterator[Engine]:
    """A Prefect API for the flows called inside the block.

    Args:
        root: The run's root. A private server keeps its files in ``<root>/.engine``; in a temporary
            folder if the root is not a local folder or another command is running on it.
        progress: Called about twice a second while waiting, with the seconds waited.

    Raises:
        EngineError: the server could not be started or reached.
    """
    given = os.environ.get("PREFECT_API_URL")
    if given:
        configure_environment()
        _require_reachable(given)
        from prefect import tags

        with tags(TAG):
            yield Engine(given)
        return
    try:
        with ExitStack() as stack:
            home = stack.enter_context(_home(root))
            yield stack.enter_context(_private(home, progress or (lambda _: None)))
    except OSError as error:
        if error.filename is None or FOLDER not in str(error.filename):
            raise
        raise EngineError(
            f"the workflow server's folder cannot be used: {error.strerror}",
            item=str(error.filename),
            stage=STAGE,
            remedy="make the root writable, or choose another with --root",
        ) from error


@contextmanager
def _home(root: Path | str) -> Iterator[Path]:
    with ExitStack() as stack:
        folder = folder_of(root)
        if folder is not None:
            home = folder / FOLDER
            if stack.enter_context(lease(home)):
                yield home
                return
        home = Path(tempfile.mkdtemp(prefix="voxmem-engine-"))
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        yield home


@contextmanager
def _private(home: Path, progress: Progress) -> Iterator[Engine]:
    end_left_behind(home)
    log = home / "server.log"
    with _environment(home) as server_environment, ExitStack() as stack:
        try:
            url = stack.enter_context(_server(home, log, server_environment, progress))
        except _EndedEarly:
            # A kill in the middle of creating the database leaves it unusable. It holds nothing but
            # the history of runs, so it is made anew, once.
            _remove_database(home)
            try:
                url = stack.enter_context(_server(home, log, server_environment, progress))
            except _EndedEarly as error:
                raise EngineError(
                    f"the workflow server ended at its start: {_last_line(log)}",
                    stage=STAGE,
                    remedy=f"see {log}",
                ) from error
        stack.enter_context(_client(url, home))
        yield Engine(url, log)


class _EndedEarly(Exception):
    """The server's process ended before it answered."""


@contextmanager
def _server(
    home: Path, log: Path, environment: Mapping[str, str], progress: Progress
) -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener, log.open("wb") as output:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/api"
        script = str(Path(__file__).with_name("serve.py"))
        process = subprocess.Popen(
            [sys.executable, "-P", script, str(os.getpid()), str(listener.fileno())],
            cwd=home,  # Prefect reads settings files in the working directory
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(listener.fileno(),),
            start_new_session=True,  # Ctrl-C is for the command, which then ends its server
        )
    try:
        record(home, process.pid)
        _import_prefect()
        _wait_until_healthy(url, process, log, progress)
        yield url
    finally:
        _stop(process)
        forget(home)


def _wait_until_healthy(
    url: str, process: subprocess.Popen[bytes], log: Path, progress: Progress
) -> None:
    start = reported = time.monotonic()
    with httpx.Client(trust_env=False, timeout=2.0) as client:
        while True:
            if process.poll() is not None:
                raise _EndedEarly
            try:
                if client.get(f"{url}/health").status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass  # not listening yet
            now = time.monotonic()
            if now - start > START_SECONDS:
                raise EngineError(
                    f"the workflow server did not answer within {START_SECONDS:.0f} s",
                    stage=STAGE,
                    remedy=f"try again on a less busy machine; its log is {log}",
                )
            if now - reported >= 0.5:
                reported = now
                progress(now - start)
            time.sleep(0.05)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _environment(home: Path) -> Iterator[dict[str, str]]:
    """Point this process at ``home`` for the block; yields the environment of the server."""
    before = dict(os.environ)
    try:
        for name in ("PREFECT_PROFILE", "PREFECT_PROFILES_PATH"):
            os.environ.pop(name, None)  # profiles of the user's own home do not exist in this one
        configure_environment()
        os.environ["PREFECT_HOME"] = str(home)
        _bypass_proxies()
        database = f"sqlite+aiosqlite:///{home / 'prefect.db'}"
        yield {
            **SERVER_SETTINGS,
            **os.environ,
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": database,
        }
    finally:
        os.environ.clear()
        os.environ.update(before)


def _bypass_proxies() -> None:
    """Requests to this machine do not go through the proxy that the environment may name."""
    for name in ("NO_PROXY", "no_proxy"):
        os.environ[name] = ",".join(filter(None, (os.environ.get(name), "127.0.0.1")))


@contextmanager
def _client(url: str, home: Path) -> Iterator[None]:
    """Send Prefect's client to ``url``, also where Prefect was imported long before."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker
    from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

    os.environ["PREFECT_API_URL"] = url  # for processes that flows start; restored with the rest
    with temporary_settings({PREFECT_API_URL: url, PREFECT_HOME: home}):
        try:
            yield
        finally:
            # What is still queued must reach the server before it goes.
            EventsWorker.drain_all(timeout=STOP_SECONDS)
            APILogWorker.drain_all(timeout=STOP_SECONDS)


def _import_prefect() -> None:
    import prefect  # noqa: F401  (seconds, spent while the server starts)


def _require_reachable(url: str) -> None:
    last: Exception | None = None
    for pause in (0.2, 0.5, 1.0):
        try:
            httpx.get(f"{url.rstrip('/')}/health", timeout=5.0)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            last = error
            time.sleep(pause)
        else:
            return
    raise EngineError(
        no_answer(url, last),
        stage=STAGE,
        remedy="start it with `voxmem server`, or unset PREFECT_API_URL to run without one",
    )


def _remove_database(home: Path) -> None:
    for path in home.glob("prefect.db*"):
        path.unlink()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "no output")
