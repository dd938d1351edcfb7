"""Notes that a model writes: one call a session, made once however often the session recurs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files

from voxmem.keys import key, short
from voxmem.memory.heard import HeardSession
from voxmem.memory.systems.transcripts import said
from voxmem.memory.systems.usage import priced
from voxmem.messages import Conversation, TextPart
from voxmem.models.audio import ReadAudio
from voxmem.models.entry import Price
from voxmem.models.outcome import Reply
from voxmem.models.registry import Asked
from voxmem.models.told import Told
from voxmem.store.rows import Ledger

PROMPT = files("voxmem.memory.systems").joinpath("summary_prompt.txt").read_text("utf-8").strip()
"""The instruction of the writer, in our own words."""
WRITTEN = frozenset({"ok", "truncated"})
"""Outcomes that leave notes."""


@dataclass
class Summariser:
    """Has notes written by a model, and keeps them under the key of what decides them.

    Items and budgets share sessions, and so their notes: those that are being written are waited
    for, those of an earlier run are read again. What ended in an error is not kept.

    Args:
        model: What writes, ready to be asked.
        identity: The key of everything that decides what it writes, apart from the request.
        slots: Calls at a time.
        ledger: Where notes are kept.
        price: What a call costs, if that is known.
    """

    model: Asked
    identity: str
    slots: asyncio.Semaphore
    ledger: Ledger
    price: Price | None = None
    _open: dict[str, asyncio.Task[Written]] = field(default_factory=dict, init=False)

    async def notes(self, session: HeardSession, read_audio: ReadAudio) -> Written:
        """The notes on one session; a failure is their outcome.

        Raises:
            UsageError: The model's settings are wrong.
        """
        told = request(session, read_audio)
        name = key("summary", self.identity, told.conversation)
        running = self._open.get(name)
        if running is None:
            running = self._open[name] = asyncio.create_task(self._kept_or_written(name, told))
            running.add_done_callback(partial(self._ended, name))
            # An item that is given up must not take the notes away from others.
            return await asyncio.shield(running)
        return Written((await asyncio.shield(running)).reply, paid=False)

    def _ended(self, name: str, task: asyncio.Task[Written]) -> None:
        del self._open[name]
        if not task.cancelled():
            task.exception()  # whoever waited has seen it, if anyone still did

    async def _kept_or_written(self, name: str, told: Told) -> Written:
        # The ledger waits for the disk: not inside the event loop.
        kept = await asyncio.to_thread(self.ledger.get, name)
        if kept is not None:
            return Written(Reply.model_validate_json(kept), paid=False)
        async with self.slots:
            earlier = await asyncio.to_thread(self.ledger.intent, name)
            reply = priced(await self.model.answer(told), self.price)
        if reply.outcome == "error":
            await asyncio.to_thread(self.ledger.ended, name)
        else:
            data = reply.model_dump_json().encode()
            await asyncio.to_thread(self.ledger.put_if_absent, name, data)
        call = reply.call.model_copy(update={"possibly_billed": earlier})
        return Written(reply.model_copy(update={"call": call}), paid=True)


@dataclass(frozen=True)
class Written:
    """What a call for notes came to."""

    reply: Reply
    paid: bool
    """Whether it was made just now, for whoever asked."""


def request(session: HeardSession, read_audio: ReadAudio) -> Told:
    """One session as its writer is given it: its time and words, a line a turn.

    Whose voice it is comes from elsewhere: the same session leads to the same request in whatever
    history it occurs.
    """
    lines = [f"{turn.role.capitalize()}: {said(turn, None)}" for turn in session.turns]
    conversation = Conversation(
        system=PROMPT,
        sessions=(),
        query_timestamp=session.timestamp,
        query=(TextPart(text="\n".join(lines)),),
    )
    return Told(f"notes {short(conversation)}", conversation, read_audio)
