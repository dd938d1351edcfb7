"""What the server says of its nights, for a command that only looks."""

from __future__ import annotations

import os
from dataclasses import dataclass

from flows.cluster.api import client
from voxmem.reevaluation import StateOf


@dataclass(frozen=True)
class Night:
    """What is looked at, within which limit."""

    root: str
    """"" where nobody says it."""
    release: str
    """"" where nobody says it."""
    limit_usd: float | None
    """``None``: no limit."""
    source: str
    """The variable that says the limit; "" where it was given, or where there is none."""
    state_of: StateOf


def night(root: str, release: str, limit_usd: float | None) -> Night:
    """What was given, and for the rest what the variables of the server of ``PREFECT_API_URL`` say.
    Without a server, nobody knows whether what was started has ended.

    Raises:
        EngineError: The server cannot be reached, or refuses us.
        UsageError: Its limit is no number above 0.
    """
    if not os.environ.get("PREFECT_API_URL"):
        return Night(root, release, limit_usd, "", lambda flow_run: "unknown")
    with client():
        from flows.reevaluate import LIMIT, RELEASE, ROOT, limit, variable
        from tasks.reevaluate import state_of

        dollars = limit_usd or limit()
        return Night(
            root or variable(ROOT),
            release or variable(RELEASE),
            dollars,
            LIMIT if dollars and not limit_usd else "",
            state_of,
        )
