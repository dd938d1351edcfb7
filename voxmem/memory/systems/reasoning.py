"""A memory that is reasoned over by the semantics: no model of language, nothing that costs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.memory.delivery import model
from voxmem.memory.ears import open_ears
from voxmem.memory.heard import HeardHistory
from voxmem.memory.listener import VERSION as UNDERSTANDING
from voxmem.memory.perceive import PERCEPTION
from voxmem.memory.reason import answer_from
from voxmem.memory.systems.kept import inventory
from voxmem.memory.systems.memory import Memory, Perception, ears, heard, with_notes
from voxmem.models.outcome import Reply
from voxmem.models.told import Told


@dataclass(frozen=True)
class ReasoningMemory:
    """A candidate: what the memory kept, estimated and reasoned over.

    Args:
        memory: What is kept.
        perceive: Makes what hears.
    """

    memory: Memory
    perceive: Callable[[], Perception] = open_ears
    kind: ClassVar[Literal["model", "memory"]] = "memory"
    concurrency: ClassVar[int] = 2

    @property
    def name(self) -> str:
        return self.memory.name

    @property
    def adapter(self) -> str:
        return f"{self.memory.name} {self.memory.version}"

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        settings = self.memory.settings
        return key("memory", self.adapter, settings, PERCEPTION, UNDERSTANDING, model())

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Reasoner]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        async with ears(self.perceive) as perception:
            yield Reasoner(self.memory, perception)


@dataclass(frozen=True)
class Reasoner:
    """A memory with its ears open."""

    memory: Memory
    perception: Perception

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        if told.meaning is None:
            reply = answer_from((), None, "")
            name = self.memory.name
            return reply.model_copy(update={"error": f"{reply.error}; {name}@MODEL reads words"})
        found = await heard(self.perception, told)
        if isinstance(found, Reply):
            return found
        return await asyncio.to_thread(self._reasoned, told, found)

    def _reasoned(self, told: Told, found: HeardHistory) -> Reply:
        kept = self.memory.keep(told.conversation, found)
        estimate = kept.estimate()
        reply = answer_from(estimate.episodes, told.meaning, estimate.asker)
        return with_notes(reply, inventory(kept))
