"""In which order items are asked where money may run out: every first part is a stratified sample.

A run that stops at its limit then leaves a partial result in which each stratum has its share, to
within one item, instead of the first questions of the release.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from voxmem.errors import UsageError
from voxmem.keys import rng
from voxmem.records import AskedQuestion


@dataclass(frozen=True)
class Affordable:
    """What a limit pays for."""

    order: tuple[str, ...]
    """All items, in the order in which they are to be asked."""
    count: int
    """How many of them, from the first, the limit pays for."""
    dollars: float
    """Their price."""
    missing: tuple[str, ...]
    """Strata of which none is among them."""


def stratum_of(question: AskedQuestion) -> str:
    """The cell of a question; answer refusal is a row of cells of its own."""
    return f"{question.evidence_type}/{question.operation}"


def stratified_order(strata: Mapping[str, str], seed: int = 0) -> tuple[str, ...]:
    """The items so that every first part has of each stratum its share, to within one.

    The items of a stratum are drawn in random order and spread evenly over the whole.

    Args:
        strata: Item id → stratum.
        seed: Another seed draws another order.
    """
    members: dict[str, list[str]] = defaultdict(list)
    for item_id in sorted(strata):
        members[strata[item_id]].append(item_id)
    places: list[tuple[float, float, str]] = []
    for stratum, items in sorted(members.items()):
        draw = rng("stratified order", seed, stratum)
        draw.shuffle(items)
        turn = draw.random()  # where two strata are due at once, chance decides
        places += [((at + 0.5) / len(items), turn, item) for at, item in enumerate(items)]
    return tuple(item for _, _, item in sorted(places))


def affordable(
    prices: Mapping[str, float | None],
    strata: Mapping[str, str],
    limit: float,
    *,
    seed: int = 0,
    order: Iterable[str] | None = None,
) -> Affordable:
    """What a limit in dollars pays for.

    Args:
        prices: Item id → what it costs; 0 for what was answered already.
        strata: Item id → stratum, of the same items.
        limit: Dollars.
        seed: Of the order.
        order: Another order than :func:`stratified_order`, as a subset draws it.

    Raises:
        UsageError: An item has no known price: the limit could not be kept.
    """
    unknown = sorted(item for item, price in prices.items() if price is None)
    if unknown:
        raise UsageError(
            "has no known price, so that no limit can be kept",
            item=unknown[0],
            stage="quote",
            remedy="give the model's entry a price, or leave --limit-usd out",
        )
    asked = tuple(stratified_order(strata, seed) if order is None else order)
    spent, count = 0.0, 0
    for item in asked:
        price = prices[item] or 0.0
        if spent + price > limit:
            break
        spent, count = spent + price, count + 1
    reached = {strata[item] for item in asked[:count]}
    return Affordable(asked, count, spent, tuple(sorted(set(strata.values()) - reached)))
