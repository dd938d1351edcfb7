"""A memory that a model is asked about: what is kept is told as text, and the model answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.memory.ears import open_ears
from voxmem.memory.perceive import PERCEPTION
from voxmem.memory.systems.kept import Kept, inventory
from voxmem.memory.systems.memory import Memory, Perception, ears, heard, with_notes
from voxmem.messages import TextPart
from voxmem.models.outcome import Reply
from voxmem.models.registry import Asked, Candidate
from voxmem.models.told import Told

QueryAs = Literal["text", "audio"]
"""How the question is put to the model: as it was understood, or as it was spoken."""


@dataclass(frozen=True)
class AskingMemory:
    """A candidate: a model that is told what a memory kept, under the arm's own system prompt and
    with the times of the sessions.

    Args:
        memory: What is kept.
        model: What is asked.
        query: ``audio`` only where the model hears.
        perceive: Makes what hears.
    """

    memory: Memory
    model: Candidate
    query: QueryAs = "text"
    perceive: Callable[[], Perception] = open_ears
    kind: ClassVar[Literal["model", "memory"]] = "memory"

    @property
    def name(self) -> str:
        return f"{self.memory.name}@{self.model.name}"

    @property
    def adapter(self) -> str:
        return f"{self.memory.name} {self.memory.version} over {self.model.adapter}"

    @property
    def concurrency(self) -> int:
        return self.model.concurrency

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        return key(
            "memory",
            self.adapter,
            self.memory.settings,
            PERCEPTION,
            self.query,
            self.model.fingerprint,
        )

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[MemoryAsker]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        async with ears(self.perceive) as perception, self.model.opened() as asked:
            yield MemoryAsker(self.memory, perception, asked, self.query)


@dataclass(frozen=True)
class MemoryAsker:
    """A memory with its ears open, and its model ready."""

    memory: Memory
    perception: Perception
    model: Asked
    query: QueryAs

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`. What the model's answer came to, this
        one comes to."""
        found = await heard(self.perception, told)
        if isinstance(found, Reply):
            return found
        kept = await asyncio.to_thread(self.memory.keep, told.conversation, found)
        reply = await self.model.answer(retold(told, kept, self.query))
        return with_notes(reply, inventory(kept))


def retold(told: Told, kept: Kept, query: QueryAs = "text") -> Told:
    """An item as a memory tells it: its meaning is not for models."""
    spoken = told.conversation.query
    conversation = told.conversation.model_copy(
        update={
            "sessions": kept.sessions(),
            "query": spoken if query == "audio" else (TextPart(text=kept.query()),),
        }
    )
    return replace(told, conversation=conversation, meaning=None)
