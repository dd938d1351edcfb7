"""Runs one system over the items of one budget and keeps a row for every item.

Calls that cost something are kept in a ledger the moment they return, under the key of everything
that decides them: a run that is killed goes on where it was, and only calls that ended in an error
are made again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.keys import key, short
from voxmem.models.item import Item
from voxmem.models.registry import System
from voxmem.prompts import load as load_prompts
from voxmem.records import Response
from voxmem.store.rows import Ledger

CONCURRENCY = 32


@dataclass(frozen=True)
class Run:
    """One system, one budget, one arm, on one release."""

    rows: ReleaseRows
    system: System
    budget: str
    arm: str = "audio"

    @property
    def part(self) -> str:
        """The part its responses are kept in."""
        return short(
            "responses",
            self.rows.release.release_id,
            self.system.fingerprint,
            self.prompt_hash,
            self.budget,
            self.arm,
            digits=20,
        )

    @property
    def prompt_hash(self) -> str:
        return load_prompts().candidate.sha256

    def response_id(self, item: Item) -> str:
        """The key of everything that decides the response."""
        return key(
            self.rows.release.release_id,
            item.item_id,
            self.system.fingerprint,
            self.prompt_hash,
            self.arm,
        )


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
    rows = asyncio.run(_answer_all(run))
    run.rows.root.tables.write("responses", run.part, rows, Response)
    return rows


async def _answer_all(run: Run) -> list[Response]:
    gate = asyncio.Semaphore(CONCURRENCY)
    ledger = run.rows.root.ledger("evaluate") if run.system.kind == "model" else None

    async def one(item: Item) -> Response:
        async with gate:
            return await _answer(run, item, ledger)

    items = run.rows.items([run.budget])
    if not items:
        raise UsageError("the release has no such budget", item=run.budget, stage="evaluate")
    return list(await asyncio.gather(*(one(item) for item in items)))


async def _answer(run: Run, item: Item, ledger: Ledger | None) -> Response:
    response_id = run.response_id(item)
    if ledger is not None:
        kept = ledger.get(response_id)
        if kept is not None:
            return Response.model_validate_json(kept)
        ledger.intent(response_id)
    reply = await run.system.answer(item)
    response = Response(
        response_id=response_id,
        item_id=item.item_id,
        question_id=item.question.question_id,
        budget=item.history.budget,
        system=run.system.name,
        arm=run.arm,
        outcome=reply.outcome,
        text=reply.text,
        error=reply.error,
        finish_reason=reply.finish_reason,
        prompt_hash=run.prompt_hash,
        usage=reply.usage,
    )
    if ledger is not None and response.outcome != "error":
        ledger.put_if_absent(response_id, response.model_dump_json().encode())
    return response
