"""How long a run takes at least: what the provider's limits allow, and what is known of latency."""

from __future__ import annotations

from voxmem.models.entry import Pace


def least_seconds(
    pace: Pace, *, requests: int, tokens: int, sent: int, latency: float | None
) -> float | None:
    """Seconds of a run.

    Args:
        pace: The provider's limits.
        requests: Items that are left to ask.
        tokens: Their input tokens.
        sent: Their bytes.
        latency: Seconds of one answer, as earlier ones took; ``None``: none is known.

    Returns:
        ``None`` where neither limits nor latency are known.
    """
    if not requests:
        return 0.0
    limits = (
        (requests, pace.requests_per_minute),
        (tokens, pace.tokens_per_minute),
        (sent, pace.bytes_per_minute),
    )
    bounds = [60 * amount / per_minute for amount, per_minute in limits if per_minute]
    if latency is not None:
        bounds.append(requests * latency / pace.concurrency)
    return max(bounds, default=None)
