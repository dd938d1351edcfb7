"""A limit in dollars holds whatever a server does, retries and all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, ClassVar, Literal
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxmem.errors import UsageError
from voxmem.evaluate.calls import LIMIT, Calls, Wanted
from voxmem.evaluate.spending import Spending
from voxmem.messages import Conversation, Message, TextPart
from voxmem.models.chat import ChatClient
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.entry import Pace, Price, Tier
from voxmem.models.outcome import Completion, Failure, Reply
from voxmem.models.told import Told
from voxmem.records import Record, Usage

MOST = 1.0
PRICE = Price(tiers=(Tier(input_text=0, input_audio=0, output=1e6),), as_of="2026-01-01", source="")
HELLO = (Message(role="user", parts=(TextPart(text="hello"),)),)

Step = Literal["cheap", "dear", "uncounted", "cut", "hangs", "aborted", "busy", "limited", "key"]
RESULTS: dict[Step, Completion | Failure] = {
    "cheap": Completion("yes", "stop", Usage(input_tokens=1, output_tokens=0)),
    "dear": Completion("yes", "stop", Usage(input_tokens=1, output_tokens=1)),
    "uncounted": Completion("yes", "stop", Usage()),
    "cut": Failure("cut", 200, "malformed"),
    "hangs": Failure("too late", None, "timeout"),
    "aborted": Completion("y", "abort", Usage(input_tokens=1, output_tokens=1)),
    "busy": Failure("busy", 503),
    "limited": Failure("slower", 429),
    "key": Failure("no such key", 401),
}
FREE: set[Step] = {"cheap", "busy", "limited", "key"}


class Row(Record):
    outcome: str
    error: str | None
    possibly_billed: int


@dataclass
class Server:
    """Does to each item what its script says, and the last of it for ever. A candidate, too."""

    scripts: Sequence[Sequence[Step]]
    concurrency: int = 4
    retries: int = 4
    posts: Counter[int] = field(default_factory=Counter)
    billed: float = 0.0
    name: ClassVar[str] = "scripted"
    kind: Literal["model", "memory"] = "model"
    adapter: ClassVar[str] = "scripted 1"
    fingerprint: ClassVar[str] = "scripted"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Server]:
        yield self

    async def answer(self, told: Told) -> Reply:
        """One of the client that asks every served model, over a network that is scripted."""
        at = int(told.item_id)

        async def post(body: Any) -> Completion | Failure:
            await asyncio.sleep(0)
            script = self.scripts[at]
            step = script[min(self.posts[at], len(script) - 1)]
            self.posts[at] += 1
            self.billed += 0.0 if step in FREE else MOST
            return RESULTS[step]

        endpoint = ChatEndpoint(base_url="http://none", model="m", max_retries=self.retries)
        async with ChatClient(endpoint, sleep=lambda seconds: asyncio.sleep(0)) as client:
            client._transport.post = post  # type: ignore[method-assign]
            return await client.complete(HELLO, audio=lambda sha256: b"")


class InMemory:
    """A ledger."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.rows.get(key)

    def intent(self, key: str) -> int:
        return 0

    def ended(self, key: str) -> None:
        pass

    def put_if_absent(self, key: str, data: bytes) -> bytes:
        return self.rows.setdefault(key, data)


def told(name: str) -> Told:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    conversation = Conversation(system="", sessions=(), query_timestamp=now, query=())
    return Told(name, conversation, lambda sha256: b"")


def asked(server: Server, limit: float) -> tuple[list[Row | None], Spending, str | None]:
    names = [str(at) for at in range(len(server.scripts))]
    spending = Spending(limit, dict.fromkeys(names, MOST))
    wanted = [
        Wanted(
            key=name,
            name=name,
            tell=lambda name=name: told(name),  # type: ignore[misc]
            row=lambda told, reply: Row(
                outcome=reply.outcome,
                error=reply.error,
                possibly_billed=reply.call.possibly_billed,
            ),
        )
        for name in names
    ]
    entry = SimpleNamespace(pace=Pace(failures=100), price=PRICE)
    rows: list[Row | None] = []
    ledger: Any = InMemory()
    with (
        mock.patch("voxmem.evaluate.calls.entry_of", return_value=entry),
        Calls(server, ledger, Row, lambda row: row.outcome != "error", spending) as calls,
    ):
        try:
            rows = calls.rows(wanted, lambda *_: None)
        except UsageError:
            assert any("key" in script for script in server.scripts)
        return rows, spending, calls.stopped


@settings(max_examples=60, deadline=None)
@given(
    scripts=st.lists(st.lists(st.sampled_from(list(RESULTS)), min_size=1, max_size=6), max_size=8),
    concurrency=st.integers(1, 8),
    limit=st.integers(0, 12),
)
def test_what_is_booked_covers_the_bill_and_never_passes_the_limit(
    scripts: list[list[Step]], concurrency: int, limit: int
) -> None:
    server = Server(scripts, concurrency)
    _, spending, _ = asked(server, limit * MOST)
    assert server.billed <= spending.spent <= limit * MOST
    assert not spending._open, "nothing stays set aside, which others would wait for"


def test_a_call_is_not_tried_again_past_the_limit() -> None:
    server = Server([["cut", "cut", "cut", "cut", "cheap"]], concurrency=1)
    [row], spending, stopped = asked(server, 3 * MOST)
    assert row is not None
    assert server.posts[0] == 3
    assert spending.spent == 3 * MOST
    assert (row.outcome, row.possibly_billed) == ("error", 3)
    assert row.error == f"malformed: cut; not tried again: {LIMIT}"
    assert stopped == LIMIT


def test_what_was_refused_is_tried_again_for_nothing() -> None:
    server = Server([["limited", "busy", "limited", "cheap"]])
    [row], spending, stopped = asked(server, MOST)
    assert (row and row.outcome, spending.spent, stopped) == ("ok", 0.0, None)


def test_calls_that_all_want_one_more_attempt_do_not_wait_for_each_other() -> None:
    server = Server([["cut", "cheap"]] * 4, concurrency=4)
    rows, spending, _ = asked(server, 4 * MOST)
    assert spending.spent <= 4 * MOST
    assert [row and row.outcome for row in rows].count("error") > 0


@pytest.mark.parametrize("limit", [1.0, 9.0])
def test_a_call_that_raises_gives_back_what_was_set_aside(limit: float) -> None:
    server = Server([["cut", "key"], ["hangs"], ["hangs"]], concurrency=1)
    _, spending, _ = asked(server, limit)
    assert not spending._open
