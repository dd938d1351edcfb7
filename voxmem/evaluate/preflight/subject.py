"""The model under preflight, and what its checks share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from voxmem.errors import ModelError
from voxmem.evaluate.preflight.booth import Booth
from voxmem.evaluate.preflight.records import Need
from voxmem.messages import Conversation
from voxmem.models.entry import ModelEntry
from voxmem.models.inspection import Inspectable, Inspection
from voxmem.models.outcome import Reply
from voxmem.models.price import dollars
from voxmem.models.registry import Asked
from voxmem.models.told import Told


@dataclass
class Subject:
    """A model that is ready to be asked."""

    asked: Asked
    entry: ModelEntry
    booth: Booth
    needs: tuple[Need, ...]
    """By budget, at least one."""
    longest: Mapping[str, Told] = field(default_factory=dict)
    """Budget → its longest item, where a release is at hand."""
    requests: int = 0
    dollars: float | None = 0.0
    failed_calls: int = 0
    rate: float | None = None
    """Its tokens of a second of audio, once they were counted."""
    context: int | None = None
    """Positions that it has, once they were seen."""

    async def ask(self, conversation: Conversation) -> Reply:
        """A reply that came.

        Raises:
            ModelError: None came: what is not known is not judged.
        """
        reply = await self.asked.answer(self._told(conversation))
        self.requests += 1
        spent = dollars(self.entry.price, reply.usage)
        self.dollars = None if self.dollars is None or spent is None else self.dollars + spent
        if reply.outcome == "error":
            self.failed_calls += 1
            raise ModelError(
                f"a probe was not answered ({reply.error})",
                item=self.entry.name,
                stage="preflight",
                remedy="run voxmem models preflight again",
            )
        return reply

    async def inspect(self, conversation: Conversation) -> Inspection | None:
        """The conversation as the model's processor renders it; ``None``: that cannot be seen."""
        return await self.inspect_told(self._told(conversation))

    async def inspect_told(self, told: Told) -> Inspection | None:
        """The same of an item."""
        return await self.asked.inspect(told) if isinstance(self.asked, Inspectable) else None

    def _told(self, conversation: Conversation) -> Told:
        return Told(f"preflight-{self.requests + 1}", conversation, self.booth.read)
