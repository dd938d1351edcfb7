"""What one request in writing may cost, so that a limit can be kept."""

from __future__ import annotations

from voxmem.errors import UsageError
from voxmem.models.entry import ModelEntry
from voxmem.models.told import Told


def most_dollars(entry: ModelEntry | None, told: Told, *, stage: str) -> float:
    """Dollars, with the longest reply that the model may give.

    Raises:
        UsageError: What it costs is not known.
    """
    from voxmem.evaluate.quote.cost import VERDICT_TOKENS, cost  # it reads judges' requests
    from voxmem.evaluate.quote.load import measure

    load = measure(told.conversation, 0.0)
    most = cost(load, entry, VERDICT_TOKENS).dollars_most if entry else None
    if most is None:
        raise UsageError(
            "a limit cannot be kept: what it costs is not known",
            item=entry.name if entry else None,
            stage=stage,
            remedy="give the model's entry a price, or leave --limit-usd out",
        )
    return most
