"""``summary@MODEL``: a model writes notes after each session, and answers from them alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.memory.ears import open_ears
from voxmem.memory.estimate import VOICES, estimate
from voxmem.memory.heard import HeardHistory
from voxmem.memory.perceive import PERCEPTION
from voxmem.memory.systems.asking import retold
from voxmem.memory.systems.kept import inventory
from voxmem.memory.systems.memory import Perception, ears, heard, with_notes
from voxmem.memory.systems.notes import noted
from voxmem.memory.systems.summariser import PROMPT, WRITTEN, Summariser, Written
from voxmem.memory.systems.transcripts import said
from voxmem.memory.systems.usage import priced, with_calls
from voxmem.memory.systems.voices import Labels, labels_of
from voxmem.messages import ToldSession
from voxmem.models.catalogue import catalogue
from voxmem.models.outcome import Reply
from voxmem.models.registry import Asked, Candidate
from voxmem.models.told import Told
from voxmem.records import Call
from voxmem.store.cache import cache_folder
from voxmem.store.rows import Ledger

VERSION = 1
"""Raise it when the same history leads to other requests."""


def open_ledger() -> Ledger:
    """The notes of this machine: every root shares them."""
    return Ledger(cache_folder("memory"), "summaries")


@dataclass(frozen=True)
class SummarisingMemory:
    """A candidate: notes by a model on what was said and by which voice; nothing else is kept.

    Args:
        model: What writes the notes, and answers.
        perceive: Makes what hears.
        open_notes: Opens what keeps notes between runs.
    """

    model: Candidate
    perceive: Callable[[], Perception] = open_ears
    open_notes: Callable[[], Ledger] = open_ledger
    kind: ClassVar[Literal["model", "memory"]] = "memory"

    @property
    def name(self) -> str:
        return f"summary@{self.model.name}"

    @property
    def adapter(self) -> str:
        return f"summary {VERSION} over {self.model.adapter}"

    @property
    def concurrency(self) -> int:
        return self.model.concurrency

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        return key("memory", self.adapter, PROMPT, PERCEPTION, self.model.fingerprint)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[SummaryAsker]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        async with ears(self.perceive) as perception, self.model.opened() as asked:
            slots = asyncio.Semaphore(self.model.concurrency)
            entry = catalogue().get(self.model.name)
            summariser = Summariser(
                asked,
                key(self.model.adapter, self.model.fingerprint),
                slots,
                self.open_notes(),
                entry.price if entry else None,
            )
            yield SummaryAsker(perception, asked, slots, summariser)


@dataclass(frozen=True)
class Notes:
    """What is left. A :class:`~voxmem.memory.systems.kept.Kept`."""

    written: tuple[ToldSession, ...]
    question: str

    @property
    def of(self) -> int:
        return len(self.written)

    def sessions(self) -> tuple[ToldSession, ...]:
        return self.written

    def query(self) -> str:
        return self.question


@dataclass(frozen=True)
class SummaryAsker:
    """Ears, and a model that is ready to write and to answer."""

    perception: Perception
    model: Asked
    slots: asyncio.Semaphore
    """Calls at a time, of both kinds."""
    summariser: Summariser

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`. If notes cannot be written, that is the
        outcome. The row bears the calls that were made for it: notes that are shared are paid for
        by the first."""
        found = await heard(self.perception, told)
        if isinstance(found, Reply):
            return found
        labels = labels_of(await asyncio.to_thread(estimate, found, VOICES))
        written = await asyncio.gather(
            *(self.summariser.notes(session, told.read_audio) for session in found.sessions)
        )
        paid = [each.reply for each in written if each.paid]
        shared = f"{len(paid)} of {len(written)} notes written for this item"
        failure = _failure(found, written)
        if failure is not None:
            return with_notes(with_calls(failure, paid), shared)
        notes = _notes(found, labels, written)
        async with self.slots:
            reply = priced(await self.model.answer(retold(told, notes)), self.summariser.price)
        return with_notes(with_calls(reply, paid), inventory(notes), shared)


def _failure(found: HeardHistory, written: Sequence[Written]) -> Reply | None:
    """What came of the first call that left no notes, as the outcome of the item."""
    for session, each in zip(found.sessions, written, strict=True):
        reply = each.reply
        if reply.outcome not in WRITTEN:
            why = reply.error or reply.finish_reason or "nothing was written"
            return Reply(
                outcome=reply.outcome,
                finish_reason=reply.finish_reason,
                error=f"notes on the session of {session.timestamp:%Y-%m-%d %H:%M}: {why}",
                call=Call(attempts=0, dollars=0.0),
            )
    return None


def _notes(found: HeardHistory, labels: Labels, written: Sequence[Written]) -> Notes:
    sessions = tuple(
        noted(session.timestamp, voice, each.reply.text or "")
        for session, voice, each in zip(found.sessions, labels.sessions, written, strict=True)
    )
    return Notes(sessions, said(found.query, labels.asker))
