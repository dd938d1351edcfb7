"""What a run may spend, and when it stops: before the limit is passed, never after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Spending:
    """Dollars of one run. Use it from one event loop."""

    limit: float
    estimates: Mapping[str, float]
    """Item id → what its call is expected to cost."""
    spent: float = 0.0
    _open: dict[str, float] = field(default_factory=dict)

    def begin(self, item_id: str) -> bool:
        """Whether a call may be made; if so, its estimate is set aside."""
        expected = self.estimates[item_id]
        if self.spent + sum(self._open.values()) + expected > self.limit:
            return False
        self._open[item_id] = expected
        return True

    def end(self, item_id: str, dollars: float | None) -> None:
        """What a call has cost; its estimate where nobody knows."""
        expected = self._open.pop(item_id)
        self.spent += expected if dollars is None else dollars
