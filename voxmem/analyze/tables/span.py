"""From the shortest to the longest budget that was run, over the models that got through it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.statistics.resample import Shares
from voxmem.analyze.study import Study
from voxmem.analyze.tables.groups import full_runs


@dataclass(frozen=True)
class Span:
    """The models with full runs at both ends (VoxMem, Appendix C.6) and what they are scored on."""

    scores: Scores
    """Of these models alone."""
    counted: Bools
    """``bool [entrants, budgets, questions]``."""
    places: tuple[int, ...]
    """The budgets at which all of them have full runs, as places on the axis; at least one."""

    @property
    def shortest(self) -> int:
        return self.places[0]

    @property
    def longest(self) -> int:
        return self.places[-1]

    @property
    def is_one_budget(self) -> bool:
        return len(self.places) == 1

    def budget(self, place: int) -> str:
        return self.scores.budgets[place]

    def shares(self, place: int, where: Bools, entrant: int | None = None) -> Shares:
        """``bool [questions, entrants]`` at one budget: of all the models, or of one."""
        who = slice(None) if entrant is None else slice(entrant, entrant + 1)
        counted = (self.counted[who, place] & where).T
        return Shares(self.scores.right[who, place].T & counted, counted)

    def _both(self, where: Bools, entrant: int | None) -> Bools:
        """``bool [entrants, questions]``: judged at both ends."""
        who = slice(None) if entrant is None else slice(entrant, entrant + 1)
        return self.counted[who, self.shortest] & self.counted[who, self.longest] & where

    def n(self, where: Bools, entrant: int | None = None) -> int:
        """Questions that any of them, or one, was judged on at both ends."""
        return int(np.count_nonzero(self._both(where, entrant).any(axis=0)))

    def pairs(self, where: Bools, entrant: int | None = None) -> int:
        """Models, or 1, with a number at both ends."""
        return int(np.count_nonzero(self._both(where, entrant).any(axis=1)))


def span(study: Study, policy: Policy, pairing: Pairing) -> Span | None:
    """``None`` if no model has a full run at any budget.

    It ends at the longest budget with a full run, and begins at the shortest at which one of the
    models that got so far has one.
    """
    models = study.scores.models
    full = [set(full_runs(study, budget, policy)) for budget in models.budgets]
    far = next((found for found in reversed(full) if found), None)
    if far is None:
        return None
    near = next(found for found in full if found & far)
    kept = near & far
    scores = models.of_entrants([models.entrants[at].name for at in sorted(kept)])
    places = tuple(at for at, found in enumerate(full) if kept <= found)
    return Span(scores, denominators(scores, policy, pairing), places)


def span_notes(of: Span | None) -> tuple[str, ...]:
    """Whom it is over, and what is lacking."""
    if of is None:
        return ("No model has a full run at any budget.",)
    names = ", ".join(one.name for one in of.scores.entrants)
    budgets = ", ".join(of.budget(place) for place in of.places)
    over = f"Over the models with full runs at {budgets}: {names}."
    if of.is_one_budget:
        return (over, "There are full runs at one budget alone: nothing to compare it with.")
    return (over,)
