"""A model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.models.item import Item
from voxmem.models.outcome import Reply


def fine(item: Item, call: int) -> Reply:
    return Reply(outcome="ok", text=f"answer to {item.item_id}")


@dataclass
class Scripted:
    """Counts its calls; ``script`` gets the item and how often it was asked about it before."""

    script: Callable[[Item, int], Reply] = fine
    name: str = "scripted"
    revision: str = "1"
    calls: list[str] = field(default_factory=list)
    kind: ClassVar[Literal["control", "model"]] = "model"

    @property
    def fingerprint(self) -> str:
        return key("scripted", self.name, self.revision)

    async def answer(self, item: Item) -> Reply:
        call = self.calls.count(item.item_id)
        self.calls.append(item.item_id)
        return self.script(item, call)
