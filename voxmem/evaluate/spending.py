"""What a run may spend, and when it stops: before the limit is passed, never after."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Spending:
    """Dollars of one run. Use it from one event loop."""

    limit: float
    estimates: Mapping[str, float]
    """Item id → what its call may cost at most."""
    spent: float = 0.0
    _open: dict[str, float] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def begin(self, item_id: str) -> bool:
        """Whether a call may be made; if so, what it may cost is set aside. Waits for calls in
        flight that may turn out cheaper than they could be."""
        most = self.estimates[item_id]
        async with self._changed:
            while self.spent + sum(self._open.values()) + most > self.limit:
                if self.spent + most > self.limit:
                    return False
                await self._changed.wait()
            self._open[item_id] = most
            return True

    async def end(self, item_id: str, dollars: float | None, unanswered: int = 0) -> None:
        """What an item has cost; all that was set aside where nobody knows.

        Args:
            dollars: Of its answer.
            unanswered: Attempts before it that brought nothing, and may be billed in full.
        """
        async with self._changed:
            most = self._open.pop(item_id)
            self.spent += (most if dollars is None else max(dollars, 0.0)) + most * unanswered
            self._changed.notify_all()
