"""What several calls for one answer came to together."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.models.entry import Price
from voxmem.models.outcome import Reply
from voxmem.models.price import dollars
from voxmem.records import Call, Usage


def priced(reply: Reply, price: Price | None) -> Reply:
    """A reply with what its one call cost, where the model has not said so itself."""
    if reply.call.dollars is not None:
        return reply
    call = reply.call.model_copy(update={"dollars": dollars(price, reply.usage)})
    return reply.model_copy(update={"call": call})


def with_calls(reply: Reply, earlier: Sequence[Reply]) -> Reply:
    """A reply that carries the usage and the cost of the calls that led up to it.

    A sum leaves out what a provider did not count. Dollars are unknown (``None``) as soon as those
    of one call are. The earlier calls are made side by side: of their seconds the longest counts.
    """
    replies = (*earlier, reply)
    calls = [each.call for each in replies]
    waited = max((each.call.seconds for each in earlier), default=0.0)
    call = reply.call.model_copy(
        update={
            "attempts": sum(call.attempts for call in calls),
            "seconds": waited + reply.call.seconds,
            "bytes_sent": sum(call.bytes_sent for call in calls),
            "dollars": _dollars(calls),
            "possibly_billed": sum(call.possibly_billed for call in calls),
        }
    )
    return reply.model_copy(update={"usage": _usage(replies), "call": call})


def _usage(replies: Sequence[Reply]) -> Usage:
    def total(name: str) -> int | None:
        counted = [getattr(each.usage, name) for each in replies]
        known = [count for count in counted if count is not None]
        return sum(known) if known else None

    return Usage(**{name: total(name) for name in Usage.model_fields})


def _dollars(calls: Sequence[Call]) -> float | None:
    known = [call.dollars for call in calls if call.dollars is not None]
    return sum(known) if len(known) == len(calls) else None
