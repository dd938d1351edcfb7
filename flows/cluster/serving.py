"""The workflow server that ``voxmem server`` starts: its settings, address and database.

``flows/serve.py`` is another one: private to a command, without a dashboard, ended with it.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

from flows.cluster.login import LOGIN, STAGE, checked, own_login, read_login
from voxmem.errors import EngineError, UsageError

DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"

SETTINGS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # Task runs are recorded in batches: with one at a time the dashboard lags by minutes.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": "P2D",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "20",
}
"""What a server is started with, unless its environment says otherwise."""

_DRIVERS = ("postgresql+asyncpg", "sqlite+aiosqlite")
_PORT = 5432
_SECONDS = 5.0
"""How long a database may take to answer."""


@dataclass(frozen=True)
class Served:
    """A server that is about to start.

    Attributes:
        command: What becomes of this process.
        environment: Of that process; the login is in it and nowhere else.
        url: Of its API, for workers and people.
        login: The file that holds ``user:password``; None where none is asked for, or where the
            environment has it.
    """

    command: list[str]
    environment: dict[str, str]
    url: str
    login: Path | None


def served(host: str, port: int, public_url: str | None, auth_file: Path | None) -> Served:
    """What to start, and with which settings.

    Args:
        public_url: How browsers and workers on other machines reach it; by its host if None.
        auth_file: A file with ``user:password``. Without one, and without the setting, a login is
            made where the server listens on more than the loopback address.

    Raises:
        UsageError: The host or port cannot be used, the login, the public address or the database's
            is no such.
        StoreError: A login cannot be kept.
        EngineError: The database does not answer.
    """
    check_free(host, port)
    if "@" in (public_url or ""):
        raise UsageError(
            "an address with a login in it is shown to everybody",
            item="--public-url",
            stage=STAGE,
            remedy="leave out what is before the @: the server asks for the login itself",
        )
    environment = {**SETTINGS, **os.environ}
    environment |= {"PREFECT_SERVER_API_HOST": host, "PREFECT_SERVER_API_PORT": str(port)}
    database = environment.get(DATABASE)
    if database is not None:
        # The address is a secret, so a server does not tell it; which kind it is, `doctor` asks.
        environment["PREFECT_SERVER_DATABASE_DRIVER"] = driver(database)
        check_answers(database)
    elif "PREFECT_SERVER_DATABASE_DRIVER" not in environment:
        environment["PREFECT_SERVER_DATABASE_DRIVER"] = "sqlite+aiosqlite"
    open_to_others = not is_loopback(host)
    shown = f"[{host}]" if ":" in host else host
    base = public_url or f"http://{shown if host not in ('0.0.0.0', '::') else '127.0.0.1'}:{port}"
    url = f"{base.rstrip('/')}/api"
    environment.setdefault("PREFECT_SERVER_UI_API_URL", url)
    login: Path | None = None
    if auth_file is not None or (open_to_others and not environment.get(LOGIN)):
        login = auth_file or own_login(environment)
        environment[LOGIN] = read_login(login)
    elif environment.get(LOGIN):
        checked(environment[LOGIN], LOGIN)
    else:
        environment.pop(LOGIN, None)  # an empty one is a login that nobody has
    command = [sys.executable, "-m", "prefect", "server", "start"]
    return Served([*command, "--host", host, "--port", str(port)], environment, url, login)


def is_loopback(host: str) -> bool:
    """Whether an address reaches no further than this machine. A name is looked up."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        pass
    try:
        found = {each[4][0] for each in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(each).is_loopback for each in found)


def check_free(host: str, port: int) -> None:
    """Asserts that a server can listen there.

    Raises:
        UsageError: There is no such address here, or the port is taken.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise UsageError(
            f"cannot listen there: {error.strerror or error}",
            item=f"{host}:{port}",
            stage=STAGE,
            remedy="choose another --host or --port",
        ) from None


def driver(database: str) -> str:
    """The kind of database that an address names.

    Raises:
        UsageError: A server cannot use it. The address is not repeated: it holds a password.
    """
    kind = database.partition(":")[0]
    if kind not in _DRIVERS:
        raise UsageError(
            f"it begins with {kind!r}",
            item=DATABASE,
            stage=STAGE,
            remedy=f"begin it with {' or '.join(_DRIVERS)}",
        )
    return kind


def check_answers(database: str) -> None:
    """Asserts that somebody listens where the database is, if that is said.

    Raises:
        UsageError: Its address cannot be read.
        EngineError: Nobody does.
    """
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    remedy = f"start it, or correct {DATABASE}"
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):  # which repeats it
        raise UsageError("it is no address", item=DATABASE, stage=STAGE, remedy=remedy) from None
    if url.host is None:  # a file, or a socket of this machine
        return
    host, port = url.host, url.port or _PORT
    try:
        socket.create_connection((host, port), _SECONDS).close()
    except OSError as error:
        raise EngineError(
            f"the database does not answer: {error.strerror or error}",
            item=f"{host}:{port}",
            stage=STAGE,
            remedy=remedy,
        ) from None
