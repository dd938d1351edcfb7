"""What the providers' protocols have in common: one request in, a completion or a failure out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from voxmem.models.outcome import Completion, Failure


@dataclass(frozen=True)
class Ask:
    """One request, whatever the protocol."""

    system: str
    turns: tuple[str, ...]
    """User and assistant texts in turn, a user text last."""
    schema_name: str
    schema: dict[str, Any]
    seed: int | None
    """31 bits; ``None``: not sent."""


class Backend(Protocol):
    """One protocol. Never raises for what the network or the server does."""

    @property
    def optional_fields(self) -> Collection[str]:
        """Names under which a server may refuse a field, with the spelling of its protocol."""
        ...

    async def send(self, ask: Ask) -> Completion | Failure:
        """Sends one request and reads the response to its end."""
        ...

    async def aclose(self) -> None:
        """Closes the connections."""
        ...
