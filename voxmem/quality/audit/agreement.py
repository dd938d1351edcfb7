"""How far annotators agree, beyond what chance would make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from voxmem.quality.audit.records import Latest
from voxmem.records import Record


class Agreement(Record):
    """Of the clips that two or more annotators heard. ``None``: not to be told from these."""

    clips: int
    annotators: int
    same: float | None
    """Share of the pairs of verdicts on one clip that are equal."""
    kappa: float | None
    """Cohen's, if there are two annotators."""
    alpha: float | None
    """Krippendorff's, for any number of annotators."""


def agreement(heard: Latest) -> Agreement:
    """Of the verdicts that count: pass, fail and unsure are three labels without an order."""
    units = [
        {name: row.verdict for name, row in sorted(verdicts.items())}
        for _, verdicts in sorted(heard.items())
        if len(verdicts) > 1
    ]
    names = sorted({name for unit in units for name in unit})
    pairs = [pair for unit in units for pair in combinations(unit.values(), 2)]
    return Agreement(
        clips=len(units),
        annotators=len(names),
        same=sum(one == two for one, two in pairs) / len(pairs) if pairs else None,
        kappa=cohens_kappa(units, *names) if len(names) == 2 else None,
        alpha=krippendorffs_alpha([[*unit.values()] for unit in units]),
    )


def cohens_kappa(units: Sequence[Mapping[str, str]], one: str, two: str) -> float | None:
    """Cohen's kappa of two annotators; ``None`` if both only ever use one label (Cohen, 1960)."""
    from sklearn.metrics import cohen_kappa_score

    labels = [[unit[name] for unit in units] for name in (one, two)]
    if len({*labels[0], *labels[1]}) < 2:
        return None
    return float(cohen_kappa_score(*labels))


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


def _unlike_pairs(count: Counter[str]) -> int:
    """Ordered pairs of values that differ."""
    return count.total() ** 2 - sum(each**2 for each in count.values())
