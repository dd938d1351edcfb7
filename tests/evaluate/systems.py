"""A model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.models.outcome import Reply
from voxmem.models.told import Told


def fine(told: Told, call: int) -> Reply:
    return Reply(outcome="ok", text=f"answer to {told.item_id}")


@dataclass
class Scripted:
    """Counts its calls; ``script`` gets what is told and how often it was asked before."""

    script: Callable[[Told, int], Reply] = fine
    name: str = "scripted"
    revision: str = "1"
    calls: list[str] = field(default_factory=list)
    kind: ClassVar[Literal["model", "memory"]] = "model"
    adapter: ClassVar[str] = "scripted 1"
    concurrency: ClassVar[int] = 8

    @property
    def fingerprint(self) -> str:
        return key("scripted", self.name, self.revision)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Scripted]:
        yield self

    async def answer(self, told: Told) -> Reply:
        call = self.calls.count(told.item_id)
        self.calls.append(told.item_id)
        return self.script(told, call)
