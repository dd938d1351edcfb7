"""One edition of a report: who was in it, and how right. A later report says what is new since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.tables.leaderboard import LeaderboardRow
from voxmem.records import Record


class Standing(Record):
    """One entrant of an edition."""

    fingerprint: str
    """Of the system: another one for another revision or setting of the same name."""
    accuracy: dict[str, float] = Field(default_factory=dict)
    """Budget → share of all items that is right, under the policy that leads."""


class Edition(Record):
    """A report that came out."""

    key: str
    """Of the rows that it shows."""
    day: str | None = None
    """For which it was scheduled, ``YYYY-MM-DD``."""
    entrants: dict[str, Standing] = Field(default_factory=dict)


def edition(
    key: str, rows: Sequence[LeaderboardRow], policy: Policy, fingerprints: Mapping[str, str]
) -> Edition:
    """The edition that a leaderboard is.

    Args:
        key: Of the rows that it is made from.
        policy: That leads.
        fingerprints: Entrant → its system's.
    """
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.policy == policy and row.overall.value is not None:
            found.setdefault(row.entrant, {})[row.budget] = round(row.overall.value, 6)
    return Edition(
        key=key,
        entrants={
            name: Standing(fingerprint=fingerprints.get(name, ""), accuracy=accuracy)
            for name, accuracy in found.items()
        },
    )
