"""The control that always abstains."""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.evaluate.controls.control import Named, reply
from voxmem.models.item import Item
from voxmem.models.outcome import Reply


@dataclass(frozen=True)
class Abstain(Named):
    """Always abstains."""

    name: str = "abstain"

    async def decide(self, item: Item) -> Reply:
        return reply(None)
