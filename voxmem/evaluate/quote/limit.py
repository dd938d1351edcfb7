"""What a limit in dollars pays for, in an order of which every first part is a stratified sample.

A run that stops at its limit then leaves a partial result in which each stratum has its share,
instead of the first questions of the release. The order is that in which subsets are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from voxmem.errors import UsageError
from voxmem.evaluate.quote.quote import Quote
from voxmem.evaluate.subset import drawn, stratum_of
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


def affordable(
    prices: Mapping[str, float | None],
    questions: Mapping[str, AskedQuestion],
    limit: float,
    *,
    seed: int = 1,
) -> Affordable:
    """What a limit pays for, of the items of one budget.

    Args:
        prices: Item id → what its answer costs.
        questions: Item id → its question, of the same items.
        limit: Dollars.
        seed: Of the order; that of subsets, unless another one is given.

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
    items = {question.question_id: item for item, question in questions.items()}
    order = [items[question.question_id] for question in drawn(questions.values(), seed)]
    spent, count = 0.0, 0
    for item in order:
        price = prices[item] or 0.0
        if spent + price > limit:
            break
        spent, count = spent + price, count + 1
    strata = {item: stratum_of(question) for item, question in questions.items()}
    reached = {strata[item] for item in order[:count]}
    missing = sorted(set(strata.values()) - reached)
    return Affordable(tuple(order), count, spent, tuple(missing))


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


def paid(quotes: Sequence[Quote], limit: float, *, seed: int = 1) -> list[Paid]:
    """How far a limit goes, one run after the other.

    Raises:
        UsageError: See :func:`affordable`.
    """
    left = limit
    found = []
    for each in quotes:
        part = affordable(each.prices, each.questions, left, seed=seed)
        left -= part.dollars
        found.append(
            Paid(
                system=each.run.system,
                budget=each.run.budget,
                arm=each.run.arm,
                items=part.count,
                of=len(part.order),
                dollars=part.dollars,
                missing=part.missing,
            )
        )
    return found
