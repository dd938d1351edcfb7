"""All that an analysis is made of: scores, what auditors found, and the choices that were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.scores import Codes, Scores
from voxmem.records import Record


class Choices(Record):
    """What a reader could have chosen otherwise; the methods page names each."""

    policy: Policy = "paper"
    """The one that leads; the other stands beside it."""
    pairing: Pairing = "own"
    """Of comparisons over budgets."""
    resamples: int = Field(default=10_000, ge=1)
    level: float = Field(default=0.95, gt=0, lt=1)
    seed: int = 0
    clustered: bool = False
    """Whether whole question families are resampled, and not single items."""
    partial: bool = False
    """Whether runs that do not cover their items are ranked."""


@dataclass(frozen=True)
class Study:
    """What every table is made from."""

    scores: Scores
    """Of the judge that leads."""
    choices: Choices = field(default_factory=Choices)
    others: tuple[Scores, ...] = ()
    """Of further judges on the same responses."""
    attributions: Mapping[str, tuple[Attribution, ...]] = field(default_factory=dict)
    """Auditor → one a wrong response that it was given."""
    readings: Codes | None = None
    """``uint8`` of the shape of ``scores.marks``: what the replies do, by
    :func:`voxmem.analyze.readings.readings`; ``None``: nobody read them."""
    positions: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """(question id, budget) → where the evidence is, 0 the oldest to 1, by
    :func:`voxmem.analyze.positions.evidence_positions`."""
