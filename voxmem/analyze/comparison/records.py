"""What a comparison finds: typed rows, in the same words for terminals and for programs."""

from __future__ import annotations

from typing import Literal, get_args

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.table import Interval, Rate
from voxmem.records import Record

Grouping = Literal["all", "stratum", "evidence", "operation", "cell"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


class Difference(Record):
    """Something that is not the same on both sides, so that it may be what makes the difference."""

    what: str
    a: str
    b: str


class GroupRow(Record):
    """Two runs on one group of their common items, at one budget, under one policy."""

    budget: str
    policy: Policy
    grouping: Grouping
    group: str
    a: Rate
    b: Rate
    difference: Interval
    """The accuracy of ``a`` less that of ``b``: paired bootstrap."""
    a_only: int
    """Right by ``a`` alone."""
    b_only: int
    p_mcnemar: float | None
    p_holm: float | None
    """That of McNemar, adjusted for all groups of the grouping at all budgets."""


class Flip(Record):
    """One item that is right on one side alone, where both are counted by the paper's policy."""

    item_id: str
    question_id: str
    budget: str
    cell: str
    right: Literal["a", "b"]
    a: str
    """What became of it there: "correct", "incorrect", "failed", …"""
    b: str


class AbstentionRow(Record):
    """How often two runs abstain on the common items to which both replied."""

    budget: str
    stratum: str
    """"answerable", "refusal" or "all"."""
    n: int
    a: int
    b: int
    a_only: int
    b_only: int
    p_mcnemar: float | None


class CellCount(Record):
    """How many questions of a cell two releases have."""

    cell: str
    a: int
    b: int


class Changed(Record):
    """Something that both releases have, under the same name and with another content."""

    name: str
    fields: tuple[str, ...]
    """What of it is another."""


class Changes(Record):
    """What is only in one of two releases, and what is in both and changed."""

    kind: Literal["questions", "histories", "sessions", "clips"]
    a: int
    """How many there are in ``a``."""
    b: int
    removed: tuple[str, ...]
    """Only in ``a``."""
    added: tuple[str, ...]
    """Only in ``b``."""
    changed: tuple[Changed, ...]

    @property
    def is_none(self) -> bool:
        """Whether both are the same."""
        return not (self.removed or self.added or self.changed)
