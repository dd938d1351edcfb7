"""What a memory system is made of: perception, and one way of forgetting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from voxmem.errors import InputError
from voxmem.memory.heard import HeardHistory
from voxmem.memory.systems.kept import Estimated
from voxmem.messages import Conversation
from voxmem.models.outcome import Reply
from voxmem.models.told import Told


class Memory(Protocol):
    """One way of forgetting: what is kept of a history."""

    @property
    def name(self) -> str:
        """Of the systems that have this memory."""
        ...

    @property
    def version(self) -> int:
        """Raised when the same history leaves something else."""
        ...

    @property
    def settings(self) -> tuple[float | str, ...]:
        """What else decides what is kept."""
        ...

    def keep(self, told: Conversation, heard: HeardHistory) -> Estimated:
        """What is left of a history, given as it was told and as it was heard."""
        ...


class Perception(Protocol):
    """What hears a conversation; safe to use from several threads."""

    def hear(self, told: Told) -> HeardHistory:
        """See :meth:`Ears.hear <voxmem.memory.ears.Ears.hear>`."""
        ...

    def close(self) -> None:
        """Waits for what is being perceived, and begins nothing more."""
        ...


@asynccontextmanager
async def ears(perceive: Callable[[], Perception]) -> AsyncIterator[Perception]:
    """What hears, for as long as items are answered."""
    perception = perceive()
    try:
        yield perception
    finally:
        await asyncio.to_thread(perception.close)


async def heard(perception: Perception, told: Told) -> HeardHistory | Reply:
    """A conversation as it is heard; a clip that cannot be is the outcome of this item alone.

    Raises:
        MissingExtra: A package of a model that listens is not installed.
    """
    try:
        return await asyncio.to_thread(perception.hear, told)
    except InputError as error:
        return Reply(outcome="error", error=str(error))


def with_notes(reply: Reply, *notes: str) -> Reply:
    """A reply that says what else happened on the way to it."""
    call = reply.call.model_copy(update={"notes": (*notes, *reply.call.notes)})
    return reply.model_copy(update={"call": call})
