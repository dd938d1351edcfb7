"""Asks a model, reads its reply strictly, asks again where it must, and pays for nothing twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from string import Template
from typing import NoReturn, TypeVar

from pydantic import BaseModel

from voxmem import keys
from voxmem.errors import ModelError, VoxmemError
from voxmem.messages import Message, TextPart
from voxmem.models.audio import ReadAudio
from voxmem.models.outcome import Reply
from voxmem.prompts import Prompt
from voxmem.quality.gates.model import GateModel
from voxmem.quality.gates.prompts import prompt
from voxmem.quality.gates.replies import parse
from voxmem.quality.gates.transcript import Part
from voxmem.records import Usage
from voxmem.store.rows import Ledger

log = logging.getLogger(__name__)

VERSION = 1
"""Raise it when the same settings and items lead to other requests."""

ASKS = 3
"""Requests for one reply in one run, until one can be read."""

R = TypeVar("R", bound=BaseModel)


class UnreadableReplyError(ModelError):
    """A model gave no reply to one item that could be read. It concerns this item alone."""


@dataclass(frozen=True)
class Request:
    """What is asked, and what for."""

    question_id: str
    gate: str
    part: str
    reading: tuple[int, ...]
    """Which reading it is: the pass, and the try within it. Another one is another request."""
    prompt: Prompt
    parts: tuple[Part, ...]

    @property
    def messages(self) -> tuple[Message, ...]:
        system = Message(role="system", parts=(TextPart(text=self.prompt.text),))
        return (system, Message(role="user", parts=self.parts))


@dataclass(frozen=True)
class Used:
    """A reply that was read, for the report. The same whether it was asked for now or kept."""

    gate: str
    usage: Usage


class Asker:
    """Asks on behalf of all gates of one pass.

    Every reply is kept before it is looked at. After a run that was killed, kept replies are read
    again and none is paid for; one that could not be read is followed by new requests.

    Args:
        model: Who is asked.
        ledger: Where replies are kept.
        audio: Reads recordings.
    """

    def __init__(self, model: GateModel, ledger: Ledger, audio: ReadAudio) -> None:
        self.model = model
        self.used: list[Used] = []
        self.sent = 0
        """Requests of this run that were not in the ledger."""
        self.stopped: VoxmemError | None = None
        """Why no further request is sent. Those under way are finished and kept."""
        self._ledger = ledger
        self._audio = audio

    async def ask(
        self, request: Request, shape: type[R], fault: Callable[[R], str | None] | None = None
    ) -> R:
        """One reply of that shape in which ``fault`` finds nothing wrong.

        Raises:
            UnreadableReplyError: There is none for this item.
            ModelError: The model cannot be reached, or cannot take what gates ask of it.
            UsageError: Its settings are wrong.
        """
        asked = keys.key(
            "gate", VERSION, self.model.fingerprint, request.question_id, request.gate,
            request.part, list(request.reading), shape.__name__, list(request.messages),
        )  # fmt: skip
        messages, new, wrong = request.messages, 0, ""
        for attempt in count():
            if new == ASKS:
                raise _unreadable(request, f"{ASKS} replies could not be read: {wrong}")
            kept, paid = await self._once(keys.key(asked, attempt), messages, shape, request)
            new += paid
            found = parse(kept, shape)
            wrong = found if isinstance(found, str) else (fault(found) if fault else None) or ""
            if not wrong and not isinstance(found, str):
                self.used.append(Used(request.gate, kept.usage))
                return found
            messages = (*request.messages, *_again(kept, wrong))
        raise AssertionError("count() does not end")

    async def _once(
        self, key: str, messages: tuple[Message, ...], shape: type[BaseModel], request: Request
    ) -> tuple[Reply, bool]:
        """The reply under a key, and whether it was asked for just now."""
        # The ledger waits for the disk: not inside the event loop.
        kept = await asyncio.to_thread(self._ledger.get, key)
        if kept is not None:
            return Reply.model_validate_json(kept), False
        if self.stopped is not None:
            raise self.stopped
        await asyncio.to_thread(self._ledger.intent, key)
        self.sent += 1
        reply = await self.model.reply(messages, shape, self._audio)
        if reply.outcome == "rejected":
            raise _unreadable(request, f"the provider refuses the request: {reply.error}")
        if reply.outcome in ("error", "context_overflow", "unsupported"):
            _stop(self.model.name, reply, request)
        # Half of a surrogate pair can be neither stored nor sent back.
        text = reply.text and reply.text.encode("utf-8", "replace").decode()
        row = reply.model_copy(update={"text": text}).model_dump_json().encode()
        kept = await asyncio.to_thread(self._ledger.put_if_absent, key, row)
        return Reply.model_validate_json(kept), True


def _again(reply: Reply, wrong: str) -> tuple[Message, ...]:
    text = Template(prompt("asked_again").text).substitute(fault=wrong)
    return (
        Message(role="assistant", parts=(TextPart(text=reply.text or "(nothing)"),)),
        Message(role="user", parts=(TextPart(text=text),)),
    )


def _unreadable(request: Request, what: str) -> UnreadableReplyError:
    log.warning("%s, %s/%s: %s", request.question_id, request.gate, request.part, what)
    return UnreadableReplyError(
        what,
        item=request.question_id,
        stage="gate",
        remedy="run the same command again to ask anew (the rest is kept), or choose another model",
    )


_REMEDIES = {
    "error": "run the same command again when the server answers; every reply is kept",
    "context_overflow": "choose a model with a longer context, or smaller budgets",
    "unsupported": "choose a model that takes as many recordings, or build with text_only",
}


def _stop(model: str, reply: Reply, request: Request) -> NoReturn:
    raise ModelError(
        f"{model} did not answer {request.gate}/{request.part} ({reply.outcome}): {reply.error}",
        item=request.question_id,
        stage="gate",
        remedy=_REMEDIES[reply.outcome],
    )
