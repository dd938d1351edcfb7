"""Whether a server and its workers can do their work: one check, one function, one line below."""

from __future__ import annotations

from datetime import UTC, datetime

from flows.cluster import api
from flows.cluster.checks.cluster import Cluster
from flows.cluster.checks.runs import (
    late,
    other_code,
    stuck_cancelling,
    stuck_pending,
    workers,
    zombies,
)
from flows.cluster.checks.server import database, login, server_clock, settings, telemetry, version
from flows.cluster.checks.state import (
    as_declared,
    deployed_version,
    deployments_have_pools,
    heartbeat,
    open_secrets,
    paused,
)
from flows.cluster.checks.values import catalogue, release, variables
from voxmem.health.finding import Check, Finding, examine

CHECKS: tuple[Check[Cluster], ...] = (
    version,
    login,
    server_clock,
    database,
    settings,
    telemetry,
    variables,
    release,
    catalogue,
    as_declared,
    deployed_version,
    deployments_have_pools,
    heartbeat,
    open_secrets,
    workers,
    other_code,
    late,
    stuck_pending,
    stuck_cancelling,
    zombies,
    paused,
)


def examine_server() -> tuple[list[Finding], str | None]:
    """Runs the checks on the server that is named. Returns also the root that its flows work on, if
    it says one.

    Raises:
        UsageError: No server is named.
        EngineError: It cannot be reached, or refuses us.
    """
    with api.client() as opened:
        cluster = Cluster(opened, api.server_url(), opened.api_version(), datetime.now(UTC))
        return list(examine(CHECKS, cluster)), cluster.root
