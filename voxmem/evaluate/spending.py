"""What a run may spend, and when it stops: before the limit is passed, never after."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Spending:
    """Dollars of one run. Use it from one event loop.

    Whatever may be billed was set aside before it was sent, so that :attr:`spent` stays within the
    limit as long as no attempt costs more than its estimate.
    """

    limit: float
    estimates: Mapping[str, float]
    """Item id → what one attempt of its call may cost at most."""
    spent: float = 0.0
    _open: Counter[str] = field(default_factory=Counter)
    """Item id → attempts of its call that are set aside."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self, item_id: str) -> bool:
        """Whether a call may be made; if so, what it may cost is set aside. Waits for calls in
        flight that may turn out cheaper than they could be."""
        while not self.again(item_id):
            if self.spent + self.estimates[item_id] > self.limit:
                return False
            await self._changed.wait()
        return True

    def again(self, item_id: str) -> bool:
        """Whether one more attempt may be made at once; if so, what it may cost is set aside, too.
        For a call in flight whose last attempt may be billed: it does not wait for others, which
        might wait for it."""
        held = sum(self.estimates[name] * attempts for name, attempts in self._open.items())
        if self.spent + held + self.estimates[item_id] > self.limit:
            return False
        self._open[item_id] += 1
        return True

    def end(self, item_id: str, dollars: float | None) -> None:
        """Books a call: each attempt before its last in full.

        Args:
            dollars: What the last one has cost; ``None``: nobody knows, and it is all that it may.
        """
        most, attempts = self.estimates[item_id], self._open.pop(item_id)
        last = most if dollars is None else max(dollars, 0.0)
        self.spent += last + most * (attempts - 1)
        self._changed.set()
        self._changed = asyncio.Event()
