"""How far annotators agree, beyond what chance would make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from voxmem.quality.labelling.kappa import cohens_kappa, crossed
from voxmem.quality.labelling.records import L, Latest
from voxmem.records import Record


class Agreement(Record):
    """Of the things that two or more annotators labelled. ``None``: not to be told from these."""

    shared: int
    annotators: int
    same: float | None
    """Share of the pairs of labels on one thing that are equal."""
    kappa: float | None
    """Cohen's, if there are two annotators."""
    alpha: float | None
    """Krippendorff's, for any number of annotators."""


def agreement(said: Latest[L]) -> Agreement:
    """Of the labels that count: they have no order, and "cannot tell" is one of them."""
    units = [
        {name: row.says for name, row in sorted(labels.items())}
        for _, labels in sorted(said.items())
        if len(labels) > 1
    ]
    names = sorted({name for unit in units for name in unit})
    pairs = [pair for unit in units for pair in combinations(unit.values(), 2)]
    return Agreement(
        shared=len(units),
        annotators=len(names),
        same=sum(one == two for one, two in pairs) / len(pairs) if pairs else None,
        kappa=_kappa(units, *names) if len(names) == 2 else None,
        alpha=krippendorffs_alpha([[*unit.values()] for unit in units]),
    )


def agreement_text(found: Agreement, things: str) -> list[str]:
    """As lines of a summary; none if no two have labelled the same."""
    if found.same is None:
        return []
    named = (("Cohen's kappa", found.kappa), ("Krippendorff's alpha", found.alpha))
    measures = [f"{name} {value:.2f}" for name, value in named if value is not None]
    shown = ", ".join(measures) or "all of one label, so that chance cannot be told"
    return [
        f"agreement           {found.same:.1%} on {found.shared} {things} of {found.annotators} "
        f"annotators, {shown}"
    ]


def consensus(labels: Iterable[str]) -> str | None:
    """The label that most give; ``None`` if nobody gives one, or as many give another."""
    first, second = [*Counter(labels).most_common(2), (None, 0), (None, 0)][:2]
    return first[0] if first[1] > second[1] else None


def krippendorffs_alpha(units: Sequence[Sequence[str]]) -> float | None:
    """Krippendorff's alpha for nominal labels, any number of annotators, some of them missing
    (Krippendorff, 2011); ``None`` without two labels.

    Args:
        units: The labels that each unit was given. A unit with less than two tells nothing.
    """
    counts = [Counter(labels) for labels in units if len(labels) > 1]
    totals = sum(counts, Counter[str]())
    number = totals.total()
    if len(totals) < 2:
        return None
    observed = sum(_unlike_pairs(count) / (count.total() - 1) for count in counts) / number
    expected = _unlike_pairs(totals) / (number * (number - 1))
    return 1 - observed / expected


def _kappa(units: Sequence[Mapping[str, str]], one: str, two: str) -> float | None:
    return cohens_kappa(crossed(*([unit[name] for unit in units] for name in (one, two)))).value


def _unlike_pairs(count: Counter[str]) -> int:
    """Ordered pairs of values that differ."""
    return count.total() ** 2 - sum(each**2 for each in count.values())
