"""What one request costs, by a model's price table and the tokens that its provider counted."""

from __future__ import annotations

from voxmem.models.entry import Price, Tier
from voxmem.records import Usage

MILLION = 1_000_000


def dollars(price: Price | None, usage: Usage) -> float | None:
    """The price of one request, in dollars.

    Output tokens are taken to include those of hidden thinking, as :class:`Usage` counts them.

    Args:
        price: The model's price table.
        usage: As the provider counted it. If it does not say how much of the input was audio, the
            input is priced as text where both cost the same; otherwise the price is not known.

    Returns:
        ``None`` if there is no table, or a count is missing that the price depends on.
    """
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    tier = tier_of(price, usage.input_tokens)
    audio = usage.audio_tokens
    if audio is None:
        if tier.input_audio != tier.input_text:
            return None
        audio = 0
    return request_dollars(
        tier,
        text=max(usage.input_tokens - audio, 0),
        audio=audio,
        cached=usage.cached_tokens or 0,
        output=usage.output_tokens,
    )


def tier_of(price: Price, input_tokens: int) -> Tier:
    """The tier that a request falls into, by the length of its prompt."""
    return next(tier for tier in price.tiers if tier.up_to is None or input_tokens <= tier.up_to)


def request_dollars(tier: Tier, *, text: int, audio: int, cached: int, output: float) -> float:
    """The price of one request in a tier.

    Args:
        tier: Prices per million tokens.
        text: Input tokens of text, cached ones included.
        audio: Input tokens of audio, cached ones included.
        cached: Of both together; they are taken to be spread over both in proportion, since no
            provider here says of which kind they were.
        output: Output tokens.
    """
    total = text + audio
    fresh = 1 - min(cached / total, 1.0) if total and tier.cached is not None else 1.0
    spent = fresh * (text * tier.input_text + audio * tier.input_audio)
    spent += (1 - fresh) * total * (tier.cached or 0.0)
    return (spent + output * tier.output) / MILLION
