"""What is told to a workflow server, so that an automation may act on it at once."""

from __future__ import annotations

import os

from flows.cluster.api import client

REGISTERED = "voxmem.model.registered"


def model_registered(name: str) -> bool:
    """Tells the server of ``PREFECT_API_URL`` that a model is in the catalogue.

    Returns:
        Whether a server is named there. Nothing rests on it: without it, the model is found at
        night.

    Raises:
        EngineError: The server cannot be reached, or refuses it.
    """
    if not os.environ.get("PREFECT_API_URL"):
        return False
    with client() as server:
        from prefect.events import Event

        event = Event(
            event=REGISTERED,
            resource={"prefect.resource.id": f"voxmem.model.{name}", "prefect.resource.name": name},
            payload={"model": name},
        )
        # Not through emit_event: it sends in the background, and this process ends at once.
        server.request("POST", "/events", json=[event.model_dump(mode="json")])
    return True
