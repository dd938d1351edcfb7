"""Two runs on the items that both answered."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from voxmem.analyze.comparison.both import A, B, Both
from voxmem.analyze.comparison.common import Common
from voxmem.analyze.comparison.groups import group_rows
from voxmem.analyze.comparison.items import abstention, flips
from voxmem.analyze.comparison.records import (
    GROUPINGS,
    AbstentionRow,
    Difference,
    Flip,
    Grouping,
    GroupRow,
)
from voxmem.analyze.comparison.side import Side, differences
from voxmem.analyze.labels import budgets_ascending
from voxmem.analyze.table import Table

RESAMPLES = 10_000


@dataclass(frozen=True)
class RunComparison:
    """Everything that is found of two runs."""

    a: str
    b: str
    differences: tuple[Difference, ...]
    """What is not the same besides the systems, so that it may be what makes the difference."""
    table: Table[GroupRow]
    flips: tuple[Flip, ...]
    abstention: tuple[AbstentionRow, ...]


def compare_runs(
    a: Side,
    b: Side,
    *,
    common: Common | None = None,
    resamples: int = RESAMPLES,
    groupings: Collection[Grouping] = GROUPINGS,
) -> RunComparison:
    """Two runs on their common items: those that are the same in the releases of both, at the
    budgets at which both have responses. Of these, what a policy counts on both sides is compared.

    Args:
        common: Of the two releases, if it was found before.
        groupings: Those that rows are made for.
    """
    shared = common or Common(a.release, b.release)
    both = Both.of(a, b, shared.places)
    return RunComparison(
        a=a.name,
        b=b.name,
        differences=(*differences(a, b), *_coverage(both)),
        table=Table(
            name="comparison",
            title=f"{a.name} and {b.name} on their common items",
            model=GroupRow,
            rows=group_rows(both, resamples, groupings),
            notes=(*_one_sided(a, b), *_notes(shared, both)),
        ),
        flips=tuple(flips(both)),
        abstention=tuple(abstention(both)),
    )


def _coverage(both: Both) -> Iterator[Difference]:
    """The budgets at which not as many of the common items are counted."""
    for at, budget in enumerate(both.budgets):
        asked = int(both.asked[at].sum())
        a, b = (int(both.scores.counted("paper")[side, at].sum()) for side in (A, B))
        if a != b:
            yield Difference(what=f"counted at {budget}", a=f"{a} of {asked}", b=f"{b} of {asked}")


def _one_sided(a: Side, b: Side) -> Iterator[str]:
    """The budgets at which one side alone has responses."""
    at = [{row.response.budget for row in side.scored} for side in (a, b)]
    for name, alone in (("A", at[0] - at[1]), ("B", at[1] - at[0])):
        if alone:
            yield f"{name} alone has responses at {', '.join(budgets_ascending(alone))}: left out"


def _notes(common: Common, both: Both) -> Iterator[str]:
    if not both.budgets:
        yield "there is no budget at which both have responses to common items"
    if not common.is_one_release:
        yield (
            f"{len(common.places)} items are the same in both releases; {len(common.changed)} have "
            "the same name and another content, and are left out"
        )
    yield "p by Holm is adjusted for all groups of one grouping at all budgets"
