"""What is told to a workflow server, so that an automation may act on it at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flows.cluster.api import client

if TYPE_CHECKING:
    from voxmem.health import Finding

REGISTERED = "voxmem.model.registered"


def model_registered(name: str) -> Finding | None:
    """Tells the server of ``PREFECT_API_URL`` that a model is in the catalogue.

    Returns:
        Whether its workers read the catalogue of this shell, as the doctor finds it; ``None`` where
        no server is named. Nothing rests on a server: without one, the model is found at night.

    Raises:
        EngineError: The server cannot be reached, or refuses it.
    """
    if not os.environ.get("PREFECT_API_URL"):
        return None
    with client() as server:
        from prefect.events import Event

        from flows.cluster import variables
        from flows.cluster.checks.values import compared
        from voxmem.health import examine

        event = Event(
            event=REGISTERED,
            resource={"prefect.resource.id": f"voxmem.model.{name}", "prefect.resource.name": name},
            payload={"model": name},
        )
        # Not through emit_event: it sends in the background, and this process ends at once.
        server.request("POST", "/events", json=[event.model_dump(mode="json")])
        [found] = examine((compared,), variables.read(server))
    return found
