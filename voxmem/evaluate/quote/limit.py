"""What a limit in dollars pays for, of items in the order in which they are asked.

Where money may run out, that is the order in which subsets are drawn
(:func:`voxmem.evaluate.subset.drawn`): a run that stops at its limit then leaves a partial result
in which each stratum has its share, instead of the first questions of the release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from voxmem.errors import UsageError
from voxmem.evaluate.quote.quote import Quote
from voxmem.evaluate.subset import stratum_of
from voxmem.records import AskedQuestion


@dataclass(frozen=True)
class Affordable:
    """What a limit pays for."""

    count: int
    """How many items, from the first."""
    dollars: float
    """Their price."""
    missing: tuple[str, ...]
    """Strata of which none is among them."""


def affordable(
    prices: Mapping[str, float | None], questions: Mapping[str, AskedQuestion], limit: float
) -> Affordable:
    """How far a limit goes.

    Args:
        prices: Item id → what its answer costs, in the order in which they are asked.
        questions: Item id → its question, of the same items.
        limit: Dollars.

    Raises:
        UsageError: An item has no known price: the limit could not be kept.
    """
    spent, count = 0.0, 0
    for item, price in prices.items():
        if price is None:
            raise UsageError(
                "has no known price, so that no limit can be kept",
                item=item,
                stage="quote",
                remedy="give the model's entry a price, or leave --limit-usd out",
            )
        if spent + price > limit:
            break
        spent, count = spent + price, count + 1
    strata = {item: stratum_of(questions[item]) for item in prices}
    reached = {strata[item] for item in list(prices)[:count]}
    return Affordable(count, spent, tuple(sorted(set(strata.values()) - reached)))


class Paid(NamedTuple):
    """How much of one run a limit pays for."""

    system: str
    budget: str
    arm: str
    items: int
    of: int
    dollars: float
    missing: tuple[str, ...]
    """Strata of which nothing would be asked."""


def paid(quotes: Sequence[Quote], limit: float) -> list[Paid]:
    """How far a limit goes, one run after the other.

    Raises:
        UsageError: See :func:`affordable`.
    """
    left = limit
    found = []
    for each in quotes:
        part = affordable(each.prices, each.questions, left)
        left -= part.dollars
        found.append(
            Paid(
                system=each.run.system,
                budget=each.run.budget,
                arm=each.run.arm,
                items=part.count,
                of=len(each.items),
                dollars=part.dollars,
                missing=part.missing,
            )
        )
    return found
