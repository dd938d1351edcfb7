"""What the server says of its nights, for a command that only looks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flows.cluster.api import client
from flows.params import ReevaluateParams
from voxmem.errors import UsageError
from voxmem.reevaluation import StateOf

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.responses import DeploymentResponse

DEPLOYMENT = "reevaluate/nightly"


@dataclass(frozen=True)
class Night:
    """What is looked at, within which limit."""

    params: ReevaluateParams
    """Root and release are "" where nobody says them."""
    source: str
    """What on the server says the limit; "" where it was given, or where there is none."""
    state_of: StateOf
    tonight: str
    """The night in which the deployment would look now, ``YYYY-MM-DD``."""


def night(given: Mapping[str, Any]) -> Night:
    """What was given; for the rest, what the deployment of the server of ``PREFECT_API_URL`` says,
    and then its variables. Without a server, nobody knows whether what was started has ended.

    Args:
        given: Fields of :class:`ReevaluateParams`.

    Raises:
        EngineError: The server cannot be reached, or refuses us.
        UsageError: Its limit is no number above 0, or its deployment has parameters that are none.
    """
    now = datetime.now(UTC)
    if not os.environ.get("PREFECT_API_URL"):
        alone = ReevaluateParams().model_copy(update=dict(given))
        return Night(alone, "", lambda flow_run: "unknown", now.date().isoformat())
    with client() as server:
        from flows.reevaluate import LIMIT, from_variables
        from tasks.nights import night_of
        from tasks.reevaluate import state_of

        found = _deployment(server)
        tonight = night_of(found.schedules if found else [], now)
        deployed = _parameters(found)
        params = from_variables(deployed.model_copy(update=dict(given)))
        source = DEPLOYMENT if deployed.limit_usd else LIMIT
        ours = given.get("limit_usd") or not params.limit_usd
        return Night(params, "" if ours else source, state_of, tonight)


def _deployment(server: SyncPrefectClient) -> DeploymentResponse | None:
    from prefect.exceptions import ObjectNotFound

    try:
        return server.read_deployment_by_name(DEPLOYMENT)
    except ObjectNotFound:
        return None


def _parameters(deployment: DeploymentResponse | None) -> ReevaluateParams:
    """Those of the deployment; the defaults where there is none."""
    said = deployment.parameters.get("params", {}) if deployment else {}
    try:
        return ReevaluateParams.model_validate(said)
    except ValidationError as error:
        [first, *_] = error.errors(include_input=False, include_url=False)
        raise UsageError(
            f"its parameter {'.'.join(map(str, first['loc']))} does not fit: {first['msg']}",
            item=DEPLOYMENT,
            stage="reevaluate",
            remedy="correct it in the dashboard, or run voxmem bootstrap",
        ) from None
