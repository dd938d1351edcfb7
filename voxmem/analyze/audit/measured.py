"""How far a judge or an auditor says what people say, of all that it could be asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from voxmem.analyze.labels import NO_NUMBER, percent
from voxmem.analyze.statistics.agreement import kappa
from voxmem.analyze.table import Interval
from voxmem.quality.labelling.share import Share, effective_size, share
from voxmem.records import Record


class Pair(NamedTuple):
    """What people and a machine say of one thing, and how many it stands for."""

    people: str
    machine: str
    weight: float = 1.0


class Measured(Record):
    """A machine against people. Each thing counts for as many as it stands for."""

    n: int = 0
    """Things that both say something of."""
    effective: float = 0.0
    """How many things, drawn alike, would tell as much (Kish)."""
    same: Interval = Interval()
    """The share on which it says what people say, with Wilson's interval."""
    kappa: Interval = Interval()
    """Cohen's, with its asymptotic interval at the effective size."""


def measured(pairs: Sequence[Pair]) -> Measured:
    """Of one machine."""
    found = share((pair.weight, pair.people == pair.machine) for pair in pairs)
    if found is None:
        return Measured()
    return Measured(n=found.n, effective=found.effective, same=interval(found), kappa=_kappa(pairs))


def interval(found: Share | None) -> Interval:
    """A share of a sample as tables have it."""
    return Interval(value=found.value, low=found.low, high=found.high) if found else Interval()


def _kappa(pairs: Sequence[Pair]) -> Interval:
    people, machine = ({pair[side] for pair in pairs} for side in (0, 1))
    if min(len(people), len(machine)) < 2:
        return Interval()
    if all(pair.people == pair.machine for pair in pairs):
        return Interval(value=1.0)
    names = sorted(people | machine)
    table = np.zeros((len(names), len(names)))
    for pair in pairs:
        table[names.index(pair.people), names.index(pair.machine)] += pair.weight
    return kappa(table / table.sum() * effective_size(pair.weight for pair in pairs))


def measured_text(found: Measured) -> str:
    """As a part of a line: share and kappa with their intervals."""
    return f"{share_text(found.same)}, κ {_decimal(found.kappa)} (n {found.n})"


def share_text(one: Interval) -> str:
    """A share and its interval in per cent."""
    if one.value is None or one.low is None or one.high is None:
        return NO_NUMBER if one.value is None else f"{percent(one.value)}%"
    return f"{percent(one.value)}% [{percent(one.low)}, {percent(one.high)}]"


def _decimal(one: Interval) -> str:
    if one.value is None or one.low is None or one.high is None:
        return NO_NUMBER if one.value is None else f"{one.value:.2f}"
    return f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"
