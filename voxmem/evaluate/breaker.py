"""When a provider is not asked any more."""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.models.outcome import Reply


@dataclass
class Breaker:
    """Stops calls to a provider that no longer answers."""

    failures: int
    in_a_row: int = 0
    last: str = ""

    @property
    def is_open(self) -> bool:
        return self.in_a_row >= self.failures

    def saw(self, reply: Reply) -> None:
        """Takes note of how a call ended."""
        self.in_a_row = self.in_a_row + 1 if reply.outcome == "error" else 0
        self.last = reply.error or self.last
