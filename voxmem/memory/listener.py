"""The system ``listener``: perceives a history from its audio, and reasons as the semantics do.

Its memory and its reasoning are those of ``oracle``; so the gap between the two is perception.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.errors import InputError
from voxmem.keys import key
from voxmem.memory.delivery import model
from voxmem.memory.ears import Ears, open_ears
from voxmem.memory.estimate import estimate
from voxmem.memory.perceive import PERCEPTION
from voxmem.memory.reason import NOT_ASKED, answer_from
from voxmem.models.outcome import Reply
from voxmem.models.told import Told

VERSION = "2"
"""Raise it when the same recordings lead to another answer."""


@dataclass(frozen=True)
class Listener:
    """Hears every clip once, keeps what it perceived, and is asked later."""

    name: str = "listener"
    kind: ClassVar[Literal["memory"]] = "memory"
    concurrency: ClassVar[int] = 4

    @property
    def fingerprint(self) -> str:
        return key("memory", self.name, VERSION, PERCEPTION, model())

    @property
    def adapter(self) -> str:
        return f"listener {VERSION}"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Listening]:
        ears = open_ears()
        try:
            yield Listening(ears)
        finally:
            await asyncio.to_thread(ears.close)


@dataclass(frozen=True)
class Listening:
    """The listener, ready to be asked."""

    ears: Ears

    async def answer(self, told: Told) -> Reply:
        """See :class:`~voxmem.models.registry.Asked`. A clip that is no audio is an error of its
        item.

        Raises:
            MissingExtra: A package of a model that listens is not installed.
            StoreError: The cache cannot be written.
        """
        if told.meaning is None:
            return Reply(outcome="unsupported", error=NOT_ASKED)
        return await asyncio.to_thread(self._answer, told)

    def _answer(self, told: Told) -> Reply:
        try:
            perceived = estimate(self.ears.hear(told))
        except InputError as error:
            return Reply(outcome="error", error=str(error))
        return answer_from(perceived.episodes, told.meaning, perceived.asker)
