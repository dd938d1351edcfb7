"""Who is best, as far as the items can tell: overall accuracy at each budget."""

from __future__ import annotations

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.entrants import Kind
from voxmem.analyze.table import Interval, Rate
from voxmem.records import Record


class LeaderboardRow(Record):
    """One entrant at one budget under one policy."""

    budget: str
    policy: Policy
    rank: int | None
    """``None``: not ranked, being a control or not a full run."""
    rank_low: int | None
    """Best rank within the interval."""
    rank_high: int | None
    tie: int | None
    """Entrants that the items cannot tell apart from the group's first share its number."""
    entrant: str
    group: str
    kind: Kind
    overall: Rate
    interval: Interval
    """Of the overall accuracy."""
    answerable: Rate
    refusal: Rate
    coverage: float | None
