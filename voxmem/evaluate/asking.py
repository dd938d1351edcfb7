"""Asks a candidate: many items at a time, each answer kept the moment it comes.

Answers are kept in a ledger under the key of everything that decides them. A run that is killed
goes on where it was: at most the calls in flight are made again, and their rows say so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from voxmem import interruption
from voxmem.errors import InputError
from voxmem.evaluate.run import Run
from voxmem.evaluate.spending import Spending
from voxmem.models.catalogue import entry_of
from voxmem.models.entry import Pace, Price
from voxmem.models.item import Item
from voxmem.models.loop import Loop
from voxmem.models.outcome import Reply
from voxmem.models.pace import deadline
from voxmem.models.price import dollars
from voxmem.models.registry import Asked, Candidate
from voxmem.models.told import Told
from voxmem.records import Response

_WRITERS = 4

T = TypeVar("T")
Heard = Callable[[Response], None]
"""Called for every answer as it comes, from the thread that asks."""


@dataclass
class Breaker:
    """Stops a run whose provider no longer answers."""

    failures: int
    in_a_row: int = 0
    last: str = ""

    @property
    def is_open(self) -> bool:
        return self.in_a_row >= self.failures

    def saw(self, reply: Reply) -> None:
        """Takes note of how a call ended."""
        self.in_a_row = self.in_a_row + 1 if reply.outcome == "error" else 0
        self.last = reply.error or self.last


@dataclass
class Asking:
    """A candidate that is open for one run. A context manager; several threads may use it.

    Args:
        run: What is asked, and of whom.
        spending: Bounds what may be spent; ``None``: nothing does.
        labels: Carried in the notes of every row: what preflight found.
    """

    run: Run
    spending: Spending | None = None
    labels: tuple[str, ...] = ()
    stopped: str | None = field(default=None, init=False)
    """Why items were left unasked; ``None`` as long as none was."""

    def __post_init__(self) -> None:
        assert isinstance(self.run.system, Candidate)
        self._candidate = self.run.system
        entry = entry_of(self.run.system.name)
        pace = entry.pace if entry else Pace()
        self._price: Price | None = entry.price if entry else None
        # A memory system hears a whole history before it answers, once: no limit is right for that.
        self._deadline = pace.deadline if self._candidate.kind == "model" else None
        self._breaker = Breaker(pace.failures)
        self._ledger = self.run.rows.root.ledger("evaluate")
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._lock = self.run.rows.root.locked(self.run.part, item=self.run.name, stage="evaluate")
        self._lock.__enter__()
        self._loop = Loop()
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="voxmem-ledger")
        try:
            self._asked: Asked = self._loop.run(
                self._stack.enter_async_context(self._candidate.opened())
            )
            self._slots = asyncio.Semaphore(self._candidate.concurrency)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._loop.cancel_all()
            self._loop.run(self._stack.aclose())
        finally:
            self._close()

    def rows(self, items: Sequence[Item], heard: Heard = lambda row: None) -> list[Response]:
        """A row for every item, in their order, but for those that :attr:`stopped` left unasked.

        Items that were answered earlier are not asked again.

        Raises:
            UsageError: The settings are wrong, so that every item would fail as well.
        """
        return self._loop.run(self._all(items, heard))

    async def _all(self, items: Sequence[Item], heard: Heard) -> list[Response]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(item, heard)) for item in items]
        return [row for task in tasks if (row := task.result()) is not None]

    async def _one(self, item: Item, heard: Heard) -> Response | None:
        response_id = self.run.response_id(item.item_id)
        kept = await self._write(self._ledger.get, response_id)
        if kept is not None:
            row = Response.model_validate_json(kept)
            heard(row)
            return row
        async with self._slots:
            if not await self._may_ask(item):
                return None
            row = await self._ask(item, response_id)
        heard(row)
        return row

    @property
    def gave_up(self) -> bool:
        """Whether it stopped because the provider no longer answers."""
        return self.stopped is not None and self._breaker.is_open

    async def _may_ask(self, item: Item) -> bool:
        if self._breaker.is_open:
            self.stopped = (
                f"{self._breaker.in_a_row} calls in a row ended in an error: {self._breaker.last}"
            )
        if interruption.requested():
            self.stopped = "it was interrupted"
        if self.stopped is not None or self.spending is None:
            return self.stopped is None
        if await self.spending.begin(item.item_id):
            return True
        self.stopped = "one more call could pass the limit in dollars"
        return False

    async def _ask(self, item: Item, response_id: str) -> Response:
        told = self.run.arm.told(item, self.run.prompts)
        earlier = await self._write(self._ledger.intent, response_id)
        reply = self._billed(await self._answer(told), earlier)
        self._breaker.saw(reply)
        if self.spending is not None:
            unanswered = reply.call.possibly_billed - earlier
            await self.spending.end(item.item_id, reply.call.dollars, unanswered)
        row = self.run.row(item, reply, told.request_hash)
        if row.outcome == "error":
            await self._write(self._ledger.ended, response_id)
            return row
        data = row.model_dump_json().encode()
        kept = await self._write(self._ledger.put_if_absent, response_id, data)
        return Response.model_validate_json(kept)

    async def _answer(self, told: Told) -> Reply:
        try:
            async with deadline(self._deadline):
                return await self._asked.answer(told)
        except TimeoutError:
            said = f"no answer within {self._deadline or 0:g} s, all attempts together"
        except InputError as error:  # a damaged clip is a matter of its item alone
            said = str(error)
        return Reply(outcome="error", error=said)

    def _billed(self, reply: Reply, earlier: int) -> Reply:
        cost = reply.call.dollars
        call = reply.call.model_copy(
            update={
                "dollars": dollars(self._price, reply.usage) if cost is None else cost,
                "possibly_billed": earlier + reply.call.possibly_billed,
                "notes": (*self.labels, *reply.call.notes),
            }
        )
        return reply.model_copy(update={"call": call})

    async def _write(self, work: Callable[..., T], *given: Any) -> T:
        # A row is on the disk before anything else happens; meanwhile others are asked. Shielded,
        # so that an answer is kept also where the run is called off just then.
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._writers, work, *given))

    def _close(self) -> None:
        self._loop.close()
        self._writers.shutdown()
        self._lock.__exit__(None, None, None)
