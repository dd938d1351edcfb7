"""The server itself: its login, clock, database and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx

from flows.address import without_login
from flows.cluster.checks.cluster import Cluster
from flows.cluster.serving import is_loopback
from voxmem.health.clock import clock_against
from voxmem.health.finding import Finding

_WANTED: dict[tuple[str, ...], Any] = {
    ("services", "task_run_recorder", "batch_size"): 100,
    ("services", "task_run_recorder", "read_batch_size"): 100,
    ("services", "task_run_recorder", "flush_interval"): 1.0,
    ("services", "db_vacuum", "enabled"): ["events", "flow_runs"],
    ("events", "retention_period"): "P2D",
}
"""Where the settings of :data:`flows.cluster.serving.SETTINGS` are in a server's answer."""


def version(cluster: Cluster) -> Iterator[Finding]:
    """It answers, knows us, and is not older than we are: else we would not be here."""
    yield Finding("server", "ok", f"Prefect {cluster.version} at {without_login(cluster.url)}")


def login(cluster: Cluster) -> Iterator[Finding]:
    """A server that others can reach asks who they are."""
    asks = cluster.settings["api"]["auth_string"] is not None
    hosts = (urlsplit(cluster.url).hostname or "", cluster.settings["api"]["host"])
    if asks:
        yield Finding("login", "ok", "the server asks for one")
    elif all(map(is_loopback, hosts)):
        yield Finding("login", "ok", "none, and the server is reached from its own machine only")
    else:
        yield Finding(
            "login",
            "wrong",
            "whoever reaches the server may do everything on it",
            "start it with `voxmem server`, or set PREFECT_SERVER_API_AUTH_STRING where it runs",
        )


def server_clock(cluster: Cluster) -> Iterator[Finding]:
    """Schedules and heartbeats go by the server's clock."""
    answer = httpx.get(f"{cluster.url}/health", timeout=10.0)
    yield clock_against("the server", answer.headers.get("date"))


def database(cluster: Cluster) -> Iterator[Finding]:
    """SQLite locks under several workers."""
    kind = cluster.settings["database"]["driver"]
    workers = sum(map(len, cluster.workers.values()))
    if kind is None:
        yield Finding("database", "ok", "of which kind is not told (voxmem server tells it)")
    elif kind.startswith("sqlite") and workers > 1:
        yield Finding(
            "database",
            "warn",
            f"SQLite, and {workers} workers are online",
            "PostgreSQL, by PREFECT_SERVER_DATABASE_CONNECTION_URL, as soon as there are two",
        )
    else:
        yield Finding("database", "ok", f"{kind.partition('+')[0]}, {workers} workers online")


def settings(cluster: Cluster) -> Iterator[Finding]:
    """The server was started with the settings that were measured."""
    off = []
    for path, wanted in _WANTED.items():
        value: Any = cluster.settings
        for step in path:
            value = value[step]
        if (sorted(value) if isinstance(value, list) else value) != wanted:
            off.append(f"{'.'.join(path)} is {value}, not {wanted}")
    if off:
        yield Finding(
            "settings of the server", "warn", "; ".join(off), "start it with `voxmem server`"
        )
    else:
        yield Finding("settings of the server", "ok", "as they were measured to be best")


def telemetry(cluster: Cluster) -> Iterator[Finding]:
    """Nothing is reported to anyone. Our clients never do: see :mod:`flows.engine`."""
    if cluster.settings["analytics_enabled"]:
        yield Finding(
            "telemetry",
            "warn",
            "the server reports how it is used",
            "start it with `voxmem server`, or PREFECT_SERVER_ANALYTICS_ENABLED=false",
        )
    else:
        yield Finding("telemetry", "ok", "off")
