"""What is new since the edition before: who came, whose number changed, and a sentence of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from voxmem.analyze.editions import Edition, Standing

Mark = Literal["", "new", "revised"]
"""``revised``: the name was there, and stood for another revision or other settings."""


@dataclass(frozen=True)
class News:
    """The difference of two editions."""

    since: str
    """The day of the one before."""
    marks: Mapping[str, Mark]
    """Entrant → how it is new; "" if it is not."""
    changes: Mapping[tuple[str, str], float]
    """Entrant and budget → the difference of their share, where both editions have one and they
    differ. A fraction."""
    gone: tuple[str, ...]
    """Entrants that are no longer there."""

    @property
    def sentence(self) -> str:
        """What is new, in one sentence."""
        changed = list(dict.fromkeys(name for name, _ in self.changes))
        parts = [
            part
            for part in (
                _listed("new", self._marked("new")),
                _listed("revised", self._marked("revised")),
                _listed("other numbers", [name for name in changed if not self.marks.get(name)]),
                _listed("gone", self.gone),
            )
            if part
        ]
        return f"Since the report of {self.since}: {'; '.join(parts) or 'nothing is new'}."

    def change(self, entrant: str, budget: str) -> str:
        """The difference in points, with its sign; "" if there is none."""
        found = self.changes.get((entrant, budget))
        return "" if found is None else f"{100 * found:+.1f}".replace("-", "−")

    def _marked(self, mark: Mark) -> list[str]:
        return [name for name, each in self.marks.items() if each == mark]


def news(now: Edition, before: Edition) -> News:
    """What an edition has that the one before had not."""
    changes = {
        (name, budget): one.accuracy[budget] - known.accuracy[budget]
        for name, one in now.entrants.items()
        if (known := before.entrants.get(name)) is not None
        for budget in one.accuracy
        if budget in known.accuracy and _points(one, budget) != _points(known, budget)
    }
    return News(
        since=before.day or "an unknown day",
        marks={name: _mark(one, before.entrants.get(name)) for name, one in now.entrants.items()},
        changes=changes,
        gone=tuple(name for name in before.entrants if name not in now.entrants),
    )


def _mark(now: Standing, before: Standing | None) -> Mark:
    if before is None:
        return "new"
    return "revised" if now.fingerprint != before.fingerprint else ""


def _points(one: Standing, budget: str) -> float:
    """As it is shown: a difference that no reader sees is none."""
    return round(100 * one.accuracy[budget], 1)


def _listed(what: str, names: Iterable[str]) -> str:
    listed = list(names)
    return f"{what} {', '.join(listed)}" if listed else ""
