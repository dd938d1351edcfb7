"""What is new since the edition before: who came, whose number changed, and a sentence of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from voxmem.analyze.editions import Edition, Standing

Mark = Literal["new", "revised"]
"""``new``: nothing of that name was there at that budget. ``revised``: it was, and stood for
another revision or other settings."""


@dataclass(frozen=True)
class News:
    """The difference of two editions."""

    since: str
    """The day of the one before."""
    marks: Mapping[tuple[str, str], Mark]
    """Entrant and budget → how it is new there."""
    changes: Mapping[tuple[str, str], float]
    """Entrant and budget → the difference of their share, where both editions have one and a reader
    sees it. A fraction."""
    gone: tuple[str, ...]
    """Entrants that are no longer there."""

    @property
    def sentence(self) -> str:
        """What is new, in one sentence."""
        parts = [
            _said("new", _named(at for at, mark in self.marks.items() if mark == "new")),
            _said("revised", _named(at for at, mark in self.marks.items() if mark == "revised")),
            _said("other numbers", _named(at for at in self.changes if at not in self.marks)),
            _said("gone", self.gone),
        ]
        said = "; ".join(filter(None, parts))
        return f"Since the report of {self.since}: {said or 'nothing is new'}."

    def mark(self, entrant: str, budget: str) -> str:
        """How an entrant is new at a budget; "" if it is not."""
        return self.marks.get((entrant, budget), "")

    def change(self, entrant: str, budget: str) -> str:
        """The difference in points, with its sign; "" if there is none."""
        found = self.changes.get((entrant, budget))
        return "" if found is None else f"{100 * found:+.1f}".replace("-", "−")


def news(now: Edition, before: Edition) -> News:
    """What an edition has that the one before had not."""
    both = [
        (name, budget, one, known)
        for name, one in now.entrants.items()
        if (known := before.entrants.get(name)) is not None
        for budget in one.accuracy
        if budget in known.accuracy and _points(one, budget) != _points(known, budget)
    ]
    return News(
        since=before.day or "an earlier day",
        marks=dict(_marks(now, before)),
        changes={
            (name, budget): one.accuracy[budget] - known.accuracy[budget]
            for name, budget, one, known in both
        },
        gone=tuple(name for name in before.entrants if name not in now.entrants),
    )


def _marks(now: Edition, before: Edition) -> Iterator[tuple[tuple[str, str], Mark]]:
    for name, one in now.entrants.items():
        known = before.entrants.get(name)
        for budget in one.accuracy:
            if known is None or budget not in known.accuracy:
                yield (name, budget), "new"
            elif known.fingerprint != one.fingerprint:
                yield (name, budget), "revised"


def _points(one: Standing, budget: str) -> float:
    """As it is shown: a difference that no reader sees is none."""
    return round(100 * one.accuracy[budget], 1)


def _named(places: Iterable[tuple[str, str]]) -> list[str]:
    """Entrants, each once, with their budgets."""
    found: dict[str, list[str]] = {}
    for name, budget in places:
        found.setdefault(name, []).append(budget)
    return [f"{name} ({', '.join(budgets)})" for name, budgets in found.items()]


def _said(what: str, names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"{what}: {listed}" if listed else ""
