"""Paid calls to a candidate: many at a time, each answer kept the moment it comes.

Answers are kept in a ledger under the key of everything that decides them. What is killed goes on
where it was: at most the calls in flight are made again, and their rows say so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from voxmem import interruption
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.breaker import Breaker
from voxmem.evaluate.spending import Spending
from voxmem.models.billed import limited
from voxmem.models.catalogue import entry_of
from voxmem.models.entry import Pace, Price
from voxmem.models.loop import Loop
from voxmem.models.outcome import Reply
from voxmem.models.pace import deadline
from voxmem.models.price import dollars
from voxmem.models.registry import Asked, Candidate
from voxmem.models.told import Told
from voxmem.records import Record
from voxmem.store.rows import Ledger

_WRITERS = 4
INTERRUPTED = "it was interrupted"
LIMIT = "one more call could pass the limit in dollars"

R = TypeVar("R", bound=Record)
T = TypeVar("T")


@dataclass(frozen=True)
class Wanted(Generic[R]):
    """One row that is wanted of a candidate."""

    key: str
    """Of everything that decides the row: where the ledger keeps it."""
    name: str
    """Under which :class:`Spending` knows what it may cost."""
    tell: Callable[[], Told]
    """What is asked, made when its turn has come."""
    row: Callable[[Told, Reply], R]


@dataclass
class Calls(Generic[R]):
    """A candidate that is open. A context manager; several threads may use it.

    Args:
        candidate: Who is asked.
        ledger: Where rows are kept.
        model: What a row is.
        is_final: Whether a row is kept; any other is asked for again the next time.
        spending: Bounds what may be spent; ``None``: nothing does.
        labels: Carried in the notes of every call.
    """

    candidate: Candidate
    ledger: Ledger
    model: type[R]
    is_final: Callable[[R], bool]
    spending: Spending | None = None
    labels: tuple[str, ...] = ()
    stopped: str | None = field(default=None, init=False)
    """Why rows were left unasked; ``None`` as long as none was."""

    def __post_init__(self) -> None:
        entry = entry_of(self.candidate.name)
        pace = entry.pace if entry else Pace()
        self._price: Price | None = entry.price if entry else None
        # A memory system hears a whole history before it answers, once: no limit is right for that.
        self._deadline = pace.deadline if self.candidate.kind == "model" else None
        self._breaker = Breaker(pace.failures)
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._loop = Loop()
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="voxmem-ledger")
        try:
            self._asked: Asked = self._loop.run(
                self._stack.enter_async_context(self.candidate.opened())
            )
            self._slots = asyncio.Semaphore(self.candidate.concurrency)
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

    def rows(
        self, wanted: Sequence[Wanted[R]], heard: Callable[[Wanted[R], R], None]
    ) -> list[R | None]:
        """A row for each, in their order; ``None`` where :attr:`stopped` left it unasked. What the
        ledger has is not asked again.

        Args:
            heard: Called for every row as it comes, from the thread that asks.

        Raises:
            UsageError: The settings are wrong, so that every other call would fail as well.
            KeyboardInterrupt: Somebody wants it to end: what was in flight has its row.
        """
        asked = self._loop.start(self._all(wanted, heard))
        try:
            return self._loop.result(asked)
        except KeyboardInterrupt:
            # What is in flight is paid for: its answer is waited for, and nothing new is asked.
            self.stopped = INTERRUPTED
            wait([asked])
            raise

    @property
    def gave_up(self) -> bool:
        """Whether it stopped because the provider no longer answers."""
        return self.stopped is not None and self._breaker.is_open

    async def _all(
        self, wanted: Sequence[Wanted[R]], heard: Callable[[Wanted[R], R], None]
    ) -> list[R | None]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(each, heard)) for each in wanted]
        return [task.result() for task in tasks]

    async def _one(self, wanted: Wanted[R], heard: Callable[[Wanted[R], R], None]) -> R | None:
        kept = await self._write(self.ledger.get, wanted.key)
        if kept is not None:
            row = self.model.model_validate_json(kept)
            heard(wanted, row)
            return row
        async with self._slots:
            if not await self._may_ask(wanted.name):
                return None
            row = await self._ask(wanted)
        heard(wanted, row)
        return row

    async def _may_ask(self, name: str) -> bool:
        if self._breaker.is_open:
            self.stopped = (
                f"{self._breaker.in_a_row} calls in a row ended in an error: {self._breaker.last}"
            )
        if interruption.requested():
            self.stopped = INTERRUPTED
        if self.stopped is not None or self.spending is None:
            return self.stopped is None
        if await self.spending.begin(name):
            return True
        self.stopped = LIMIT
        return False

    async def _ask(self, wanted: Wanted[R]) -> R:
        told, reply = await self._booked(wanted)
        self._breaker.saw(reply)
        row = wanted.row(told, reply)
        if not self.is_final(row):
            await self._write(self.ledger.ended, wanted.key)
            return row
        data = row.model_dump_json().encode()
        kept = await self._write(self.ledger.put_if_absent, wanted.key, data)
        return self.model.model_validate_json(kept)

    async def _booked(self, wanted: Wanted[R]) -> tuple[Told, Reply]:
        """What is asked, and the reply. However it ends, what was set aside is given back or
        spent: others wait for it."""
        cost: float | None = None
        try:
            told = wanted.tell()
            earlier = await self._write(self.ledger.intent, wanted.key)
            reply = self._billed(await self._within(wanted.name, told), earlier)
            cost = reply.call.dollars
            return told, reply
        except UsageError:  # it was refused, and is not billed
            cost = 0.0
            await self._write(self.ledger.ended, wanted.key)
            raise
        finally:
            if self.spending is not None:
                self.spending.end(wanted.name, cost)

    async def _within(self, name: str, told: Told) -> Reply:
        """A reply; what may be billed is tried again only as far as the limit allows."""
        refused = False

        def another() -> bool:
            nonlocal refused
            refused = self.spending is not None and not self.spending.again(name)
            return not refused

        with limited(another):
            reply = await self._answer(told)
        if not refused:
            return reply
        self.stopped = LIMIT
        return reply.model_copy(update={"error": f"{reply.error}; not tried again: {LIMIT}"})

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
        writing = loop.run_in_executor(self._writers, work, *given)
        writing.add_done_callback(_noticed)
        return await asyncio.shield(writing)

    def _close(self) -> None:
        self._loop.close()
        self._writers.shutdown()


def _noticed(ended: asyncio.Future[Any]) -> None:
    """Where the run was called off, nobody else asks whether a row could be written, and asyncio
    would print a traceback: the error that called it off is told."""
    if not ended.cancelled():
        ended.exception()
