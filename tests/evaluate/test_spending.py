"""Limits: nothing is begun that could pass them, and what turned out cheap is used."""

from __future__ import annotations

import asyncio

import pytest

from voxmem.evaluate.spending import Spending


def test_no_call_is_begun_that_could_pass_the_limit() -> None:
    async def run() -> None:
        spending = Spending(1.0, {"a": 0.6, "b": 0.6, "c": 0.3})
        assert await spending.begin("a")
        waiting = asyncio.ensure_future(spending.begin("b"))
        await asyncio.sleep(0)
        assert await spending.begin("c"), "both may cost 0.9"
        assert not waiting.done()
        spending.end("c", 0.1)
        await asyncio.sleep(0)
        assert not waiting.done(), "0.1 and 0.6 and 0.6 are too much"
        spending.end("a", 0.2)
        assert await waiting, "0.3 and 0.6 are not"
        spending.end("b", None)
        assert spending.spent == pytest.approx(0.9), "what nobody knows counts as the most"
        assert not await spending.begin("c")

    asyncio.run(run())


def test_one_that_nothing_can_pay_for_is_refused_at_once() -> None:
    async def run() -> None:
        spending = Spending(1.0, {"a": 0.5, "dear": 1.5})
        assert await spending.begin("a")
        assert not await spending.begin("dear")

    asyncio.run(run())


def test_each_attempt_that_may_be_billed_is_set_aside() -> None:
    async def run() -> None:
        spending = Spending(1.0, {"a": 0.3, "b": 0.3})
        assert await spending.begin("a")
        assert await spending.begin("b")
        assert spending.again("a")
        assert not spending.again("b"), "and it does not wait: the others may wait for it"
        spending.end("b", 0.0)
        assert spending.spent == 0.0, "it was refused"
        assert spending.again("a")
        spending.end("a", 0.1)
        assert spending.spent == pytest.approx(0.7), "two in full, and what the answer cost"

    asyncio.run(run())
