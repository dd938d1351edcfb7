"""Runs one system over the items of one budget and keeps a row for every item.

Calls that cost something are kept in a ledger the moment they return, under the key of everything
that decides them: a run that is killed goes on where it was, and only calls that ended in an error
are made again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from voxmem.errors import UsageError
from voxmem.evaluate.arms import Arm, arm_named
from voxmem.evaluate.items import ReleaseRows
from voxmem.keys import key, short
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.registry import Asked, Candidate, Control, System
from voxmem.prompts import Prompts
from voxmem.prompts import load as load_prompts
from voxmem.records import Response
from voxmem.store.rows import Ledger


@dataclass(frozen=True)
class Run:
    """One system, one budget, one arm, on one release."""

    rows: ReleaseRows
    system: System
    budget: str
    arm_name: str = "audio"
    prompts: Prompts = field(default_factory=load_prompts)

    @cached_property
    def arm(self) -> Arm:
        return arm_named(self.arm_name)

    @property
    def identity(self) -> tuple[str, ...]:
        """Everything that decides a response, apart from the item."""
        return (
            self.rows.release.release_id,
            self.system.fingerprint,
            self.adapter,
            self.prompt_hash,
            self.arm.name,
            str(self.arm.revision),
        )

    @property
    def adapter(self) -> str:
        return self.system.adapter if isinstance(self.system, Candidate) else ""

    @property
    def part(self) -> str:
        """The part its responses are kept in."""
        return short("responses", *self.identity, self.budget, digits=20)

    @property
    def prompt_hash(self) -> str:
        return self.arm.prompt(self.prompts).sha256

    def response_id(self, item: Item) -> str:
        """The key of everything that decides the response."""
        return key(*self.identity, item.item_id)


def responses(run: Run) -> list[Response] | None:
    """What a run has left, or ``None`` if it never finished."""
    tables = run.rows.root.tables
    if not tables.has("responses", run.part):
        return None
    return tables.read("responses", Response, [run.part])


def evaluate(run: Run) -> list[Response]:
    """Runs the system over the items, or returns what an earlier run has left.

    Rows that ended in an error are tried again; so are all others of a system that costs nothing.

    Raises:
        UsageError: The release has no such budget.
    """
    done = responses(run)
    if done is not None and not any(row.outcome == "error" for row in done):
        return done
    items = run.rows.items([run.budget])
    if not items:
        raise UsageError("the release has no such budget", item=run.budget, stage="evaluate")
    rows = asyncio.run(_answer_all(run, items))
    run.rows.root.tables.write("responses", run.part, rows, Response)
    return rows


async def _answer_all(run: Run, items: Sequence[Item]) -> list[Response]:
    system = run.system
    if isinstance(system, Control):
        return [_row(run, item, await system.decide(item)) for item in items]
    assert isinstance(system, Candidate)
    gate = asyncio.Semaphore(system.concurrency)
    ledger = run.rows.root.ledger("evaluate")

    async with system.opened() as asked:

        async def one(item: Item) -> Response:
            async with gate:
                return await _answer(run, item, asked, ledger)

        return list(await asyncio.gather(*(one(item) for item in items)))


async def _answer(run: Run, item: Item, asked: Asked, ledger: Ledger) -> Response:
    response_id = run.response_id(item)
    kept = ledger.get(response_id)
    if kept is not None:
        return Response.model_validate_json(kept)
    told = run.arm.told(item, run.prompts)
    ledger.intent(response_id)
    response = _row(run, item, await asked.answer(told), told.request_hash)
    if response.outcome != "error":
        ledger.put_if_absent(response_id, response.model_dump_json().encode())
    return response


def _row(run: Run, item: Item, reply: Reply, request_hash: str = "") -> Response:
    return Response(
        response_id=run.response_id(item),
        item_id=item.item_id,
        question_id=item.question.question_id,
        budget=item.history.budget,
        system=run.system.name,
        arm=run.arm.name,
        outcome=reply.outcome,
        text=reply.text,
        error=reply.error,
        finish_reason=reply.finish_reason,
        prompt_hash=run.prompt_hash,
        request_hash=request_hash,
        adapter=run.adapter,
        usage=reply.usage,
        call=reply.call,
    )
