"""Pacing: how fast a provider may be asked, whatever the number of items that wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache

from voxmem.models.entry import Pace

_USED = 0.95
"""Share of a limit that is used: providers count in windows of their own."""
_BURST = 3.0
"""Seconds of a limit that may be spent at once."""
_DEADLINE: ContextVar[asyncio.Timeout | None] = ContextVar("voxmem deadline", default=None)


@asynccontextmanager
async def deadline(seconds: float | None) -> AsyncIterator[None]:
    """Ends the block after so many seconds, those not counted in which a pacer held it back;
    ``None``: never.

    Raises:
        TimeoutError: They are over.
    """
    async with asyncio.timeout(seconds) as limit:
        token = _DEADLINE.set(limit)
        try:
            yield
        finally:
            _DEADLINE.reset(token)


@dataclass
class Bucket:
    """A token bucket. What is taken beyond its level is waited for.

    Args:
        per_minute: How much comes in.
    """

    per_minute: float
    now: Callable[[], float] = time.monotonic
    _level: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._rate = self.per_minute * _USED / 60
        self._size = self._rate * _BURST
        self._level, self._at = self._size, self.now()

    def take(self, amount: float) -> float:
        """Takes an amount; seconds until it is there. A large one leaves a debt that others wait
        for, so that none is starved."""
        now = self.now()
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        self._level -= amount
        return max(0.0, -self._level / self._rate)


class Pacer:
    """Lets requests through at a provider's pace.

    Args:
        pace: Its limits.
        sleep: Waits; replaced in tests.
        now: The clock, in seconds; replaced in tests.
    """

    def __init__(
        self,
        pace: Pace,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sleep, self._now = sleep, now
        self._buckets = {
            unit: Bucket(limit, now)
            for unit, limit in (
                ("requests", pace.requests_per_minute),
                ("tokens", pace.tokens_per_minute),
                ("bytes", pace.bytes_per_minute),
            )
            if limit is not None
        }
        self._closed_until = 0.0

    async def admit(self, *, tokens: float = 0, sent: int = 0) -> None:
        """Waits until a request of so many tokens and bytes may be sent."""
        amounts = {"requests": 1.0, "tokens": tokens, "bytes": float(sent)}
        waits = [bucket.take(amounts[unit]) for unit, bucket in self._buckets.items()]
        wait = max([*waits, self._closed_until - self._now()], default=0.0)
        while wait > 0:
            _extend(wait)
            await self._sleep(wait)
            wait = self._closed_until - self._now()

    def pause(self, seconds: float) -> None:
        """Lets nothing through for a while: the provider has asked one request to wait."""
        self._closed_until = max(self._closed_until, self._now() + seconds)


def _extend(seconds: float) -> None:
    limit = _DEADLINE.get()
    until = limit.when() if limit else None
    if limit is not None and until is not None:
        # A task that outlives the item that began it has that item's limit, which is over.
        with suppress(RuntimeError):
            limit.reschedule(until + seconds)


@lru_cache(maxsize=64)
def pacer_of(provider: str, pace: Pace) -> Pacer:
    """The pacer that all runs of this process share for one provider."""
    return Pacer(pace)
