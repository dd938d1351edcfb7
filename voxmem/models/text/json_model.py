"""A language model that answers in JSON, asks again where it must, and pays for nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, TypeAdapter

from voxmem import keys
from voxmem.models.loop import Loop
from voxmem.models.outcome import Completion
from voxmem.models.text.backend import Ask
from voxmem.models.text.caller import Caller
from voxmem.models.text.model import UnusableReply
from voxmem.models.text.schema import read, wire_schema
from voxmem.prompts.construction import prompt
from voxmem.store.rows import Ledger

VERSION = 1
"""Raise it when the same settings and texts lead to other requests."""

ASKS = 4
"""Requests for one item in one run, until a usable reply comes."""

_SEEDS = 2**31
_COMPLETIONS = TypeAdapter(Completion)

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True)
class Subject:
    """What a request is for."""

    item: str | None
    stage: str


class JsonModel:
    """A :class:`~voxmem.models.text.model.TextModel` over one provider. A context manager.

    A reply is kept, faulty or not, before it is looked at. After a run that was killed, kept
    replies are read again and not paid for again; after one that ended without a usable reply, the
    item gets as many new requests as before, which go on from the kept ones.

    Args:
        name: As the provider knows the model.
        identity: The settings that decide a reply.
        caller: The way to the provider.
        concurrency: Requests that the caller takes at a time.
        ledger: Where replies are kept.
        asks: New requests for one item, at most.
    """

    def __init__(
        self,
        name: str,
        *,
        identity: dict[str, Any],
        caller: Caller,
        concurrency: int,
        ledger: Ledger,
        asks: int = ASKS,
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self.fingerprint = keys.key("text", VERSION, name, identity, prompt("asked_again").sha256)
        self._caller = caller
        self._ledger = ledger
        self._asks = asks
        self._loop = Loop()
        self._open: dict[str, asyncio.Task[tuple[Completion, bool]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections and ends the thread they live in."""
        self._loop.run(self._caller.aclose())
        self._loop.close()

    def complete(
        self,
        system: str,
        user: str,
        schema: type[Reply],
        *,
        seed: int,
        item: str | None = None,
        stage: str = "models",
        fault: Callable[[Reply], str | None] | None = None,
    ) -> Reply:
        """See :meth:`TextModel.complete <voxmem.models.text.model.TextModel.complete>`."""
        subject = Subject(item, stage)
        ask = Ask(system, (user,), schema.__name__, wire_schema(schema), seed=None)
        attempt = new = 0
        while True:
            ask = replace(ask, seed=(seed + attempt) % _SEEDS)
            completion, paid = self._loop.run(self._once(ask, attempt, subject))
            found = read(completion, schema)
            wrong = found if isinstance(found, str) else fault(found) if fault else None
            if not isinstance(found, str) and not wrong:
                return found
            attempt, new = attempt + 1, new + paid
            if new == self._asks:
                raise self._gave_up(str(wrong), subject)
            again = prompt("asked_again").fill(fault=str(wrong))
            ask = replace(ask, turns=(user, completion.text.strip() or "(nothing)", again))

    async def _once(self, ask: Ask, attempt: int, subject: Subject) -> tuple[Completion, bool]:
        """The completion of a request, and whether it was paid for just now.

        The same request from two threads at a time is sent once.
        """
        key = keys.key(self.fingerprint, ask.system, ask.turns, ask.schema, ask.seed, attempt)
        if key not in self._open:
            task = asyncio.create_task(self._kept_or_paid(key, ask, subject))
            self._open[key] = task
            task.add_done_callback(lambda _: self._open.pop(key))
        return await self._open[key]

    async def _kept_or_paid(self, key: str, ask: Ask, subject: Subject) -> tuple[Completion, bool]:
        # The ledger waits for the disk: not inside the event loop.
        kept = await asyncio.to_thread(self._ledger.get, key)
        if kept is not None:
            return _COMPLETIONS.validate_json(kept), False
        await asyncio.to_thread(self._ledger.intent, key)
        said = await self._caller.call(ask, item=subject.item, stage=subject.stage)
        # Half of a surrogate pair cannot be stored or sent back.
        said = replace(said, text=said.text.encode("utf-8", "replace").decode())
        row = await asyncio.to_thread(self._ledger.put_if_absent, key, _COMPLETIONS.dump_json(said))
        return _COMPLETIONS.validate_json(row), True

    def _gave_up(self, wrong: str, subject: Subject) -> UnusableReply:
        return UnusableReply(
            f"no reply of {self.name} could be used, {self._asks} times in a row; the last one: "
            f"{wrong}",
            item=subject.item,
            stage=subject.stage,
            remedy="run the same command again to ask anew (the rest is kept), or choose another "
            "model",
        )
