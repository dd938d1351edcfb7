"""Which things people label: a stratified sample, and how many each of its things stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from voxmem.keys import key, rng


class Stratum(NamedTuple):
    """Things that are drawn alike."""

    group: str
    """Groups are given as many places each."""
    part: str = ""
    """Parts of a group share its places."""


@dataclass(frozen=True)
class Sample:
    """A queue out of a population.

    Attributes:
        strata: Of the whole population.
        queue: Those to be labelled, in an order that has nothing to do with strata.
    """

    strata: Mapping[str, Stratum]
    queue: tuple[str, ...]

    def weights(self, labelled: Collection[str]) -> dict[str, float]:
        """How many of its stratum each labelled thing stands for, in this queue or a larger one.
        Strata of which nothing is labelled are not represented: see :meth:`missing`."""
        sizes = Counter(self.strata.values())
        there = [name for name in self.strata if name in labelled]
        counts = Counter(self.strata[name] for name in there)
        return {name: sizes[self.strata[name]] / counts[self.strata[name]] for name in there}

    def missing(self, labelled: Collection[str]) -> float:
        """The share of the population in strata of which nothing is labelled."""
        seen = {stratum for name, stratum in self.strata.items() if name in labelled}
        lacking = sum(stratum not in seen for stratum in self.strata.values())
        return lacking / len(self.strata) if self.strata else 0.0


def draw(
    strata: Mapping[str, Stratum], count: int, seed: int, shares: Mapping[str, int] | None = None
) -> Sample:
    """A sample of ``count`` things; all of them if there are no more.

    Places go round the groups, and within a group round its parts, in proportion to ``shares``, as
    long as there is something left to draw. Within a stratum a number that follows from seed and
    name decides, so that a larger sample holds the smaller one, and a few things more in the
    population change little.

    Args:
        shares: Part → its share of the places of a group, against 1 of every other part.
    """
    members: dict[Stratum, list[str]] = {}
    for name in sorted(strata, key=lambda name: rng("audit sample", seed, name).random()):
        members.setdefault(strata[name], []).append(name)
    places = _places(Counter(strata.values()), min(count, len(strata)), shares or {})
    taken = [name for stratum, names in members.items() for name in names[: places[stratum]]]
    return Sample(strata, tuple(sorted(taken, key=lambda name: key("audit order", seed, name))))


def _places(
    sizes: Mapping[Stratum, int], count: int, shares: Mapping[str, int]
) -> Counter[Stratum]:
    given: Counter[Stratum] = Counter()
    of_group: Counter[str] = Counter()
    for _ in range(count):
        open_to = [stratum for stratum in sizes if given[stratum] < sizes[stratum]]
        chosen = min(
            open_to,
            key=lambda one: (
                of_group[one.group],
                one.group,
                given[one] / shares.get(one.part, 1),
                one.part,
            ),
        )
        given[chosen] += 1
        of_group[chosen.group] += 1
    return given
