"""What every table and figure is made from: one judge's reading of every response, as a cube.

The axes are entrants, budgets and questions. One cell says what became of one item, so that every
denominator is a mask: paired comparisons, resampling and policies are array operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from voxmem.analyze.accuracy import Policy, Scored
from voxmem.analyze.entrants import Entrant, entrant
from voxmem.analyze.labels import budgets_ascending
from voxmem.records import AskedQuestion

Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]

T = TypeVar("T")


class Mark(IntEnum):
    """What became of one item with one entrant."""

    NOT_ASKED = 0
    """The release has no such item."""
    ABSENT = 1
    """No response, or none that a judge was given."""
    CORRECT = 2
    INCORRECT = 3
    UNPARSED = 4
    """The judge's reply cannot be read."""
    JUDGE_ERROR = 5
    FAILED = 6
    """The generation failed: an error, nothing said, a filter."""
    REJECTED = 7
    """By the provider, before inference."""
    OUT_OF_SET = 8
    """Longer than the context, or of a kind that the model does not take."""


COUNTED: dict[Policy, tuple[Mark, ...]] = {
    "paper": (Mark.CORRECT, Mark.INCORRECT, Mark.UNPARSED, Mark.JUDGE_ERROR, Mark.FAILED),
    "code": (Mark.CORRECT, Mark.INCORRECT),
}
"""What is in the denominator of each published policy (VoxMem, Appendix C.4; its scorer)."""

_BY_STATUS = {
    "correct": Mark.CORRECT,
    "incorrect": Mark.INCORRECT,
    "unparsed": Mark.UNPARSED,
    "error": Mark.JUDGE_ERROR,
    "not_judged": Mark.FAILED,
}
_BY_OUTCOME = {
    "rejected": Mark.REJECTED,
    "context_overflow": Mark.OUT_OF_SET,
    "unsupported": Mark.OUT_OF_SET,
}


def mark_of(row: Scored) -> Mark:
    """What became of one response."""
    return _BY_OUTCOME.get(row.response.outcome) or _BY_STATUS[row.verdict.status]


@dataclass(frozen=True)
class Scores:
    """One judge's marks on everything that was answered.

    Shapes: ``marks`` is ``uint8 [entrants, budgets, questions]``, of :class:`Mark`.
    """

    entrants: tuple[Entrant, ...]
    budgets: tuple[str, ...]
    """Shortest first."""
    questions: tuple[AskedQuestion, ...]
    marks: Codes
    judge: str
    """Name and version, as verdicts carry it."""
    notes: tuple[str, ...] = ()
    """What was left out, and why: for the methods page."""

    # --- making -------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        questions: Iterable[AskedQuestion],
        asked: Iterable[tuple[str, str]],
        scored: Iterable[Scored],
        judge: str,
        entrants: Mapping[tuple[str, str], Entrant] | None = None,
        notes: Sequence[str] = (),
    ) -> Scores:
        """The cube of a release's responses.

        Rows of other releases, and all but the first of several rows of one item, are left out
        and noted.

        Args:
            questions: Of the release, in its order.
            asked: (question id, budget) of every item of the release.
            scored: Responses with the verdicts of one judge.
            judge: Its identity.
            entrants: (system, arm) → who that is; by the catalogue where there is none.
            notes: What is known to be missing.
        """
        rows, known = list(scored), tuple(questions)
        items = set(asked)
        budgets = budgets_ascending(budget for _, budget in items)
        names = dict.fromkeys((row.response.system, row.response.arm) for row in rows)
        given = entrants or {}
        who = {name: given.get(name) or entrant(*name) for name in names}
        at = (_places(names), _places(budgets), _places(one.question_id for one in known))
        marks = np.zeros(tuple(len(axis) for axis in at), dtype=np.uint8)
        for question_id, budget in items:
            if question_id in at[2]:
                marks[:, at[1][budget], at[2][question_id]] = Mark.ABSENT
        left_out: Counter[str] = Counter()
        for row in rows:
            response = row.response
            if (response.question_id, response.budget) not in items:
                left_out["answer no item of this release"] += 1
                continue
            place = (
                at[0][response.system, response.arm],
                at[1][response.budget],
                at[2][response.question_id],
            )
            if marks[place] != Mark.ABSENT:
                left_out["answer an item a second time"] += 1
                continue
            marks[place] = mark_of(row)
        more = (f"{count} responses {why}: left out" for why, count in left_out.items())
        return cls(tuple(who.values()), budgets, known, marks, judge, (*notes, *more))

    # --- masks --------------------------------------------------------------------------------

    @cached_property
    def asked(self) -> Bools:
        """``bool [budgets, questions]``: what the release asks."""
        if not self.entrants:
            return np.zeros(self.marks.shape[1:], dtype=bool)
        return np.asarray((self.marks != Mark.NOT_ASKED).any(axis=0))

    def counted(self, policy: Policy) -> Bools:
        """``bool [entrants, budgets, questions]``: what is in the denominator."""
        return np.isin(self.marks, COUNTED[policy])

    @cached_property
    def right(self) -> Bools:
        """``bool [entrants, budgets, questions]``."""
        return np.asarray(self.marks == Mark.CORRECT)

    def where(self, **of: object) -> Bools:
        """``bool [questions]``: those whose fields have these values; ``stratum`` is
        "answerable" or "refusal"."""
        found = np.ones(len(self.questions), dtype=bool)
        for field, wanted in of.items():
            found &= np.array([_field(one, field) == wanted for one in self.questions], dtype=bool)
        return found

    # --- parts --------------------------------------------------------------------------------

    def budget(self, name: str) -> int:
        """Where a budget is on its axis.

        Raises:
            ValueError: There is no such budget.
        """
        return self.budgets.index(name)

    def of_entrants(self, names: Sequence[str]) -> Scores:
        """The same for some entrants, by their shown names, in that order."""
        at = [[one.name for one in self.entrants].index(name) for name in names]
        return replace(
            self, entrants=tuple(self.entrants[each] for each in at), marks=self.marks[at]
        )

    @cached_property
    def protocol(self) -> Scores:
        """The same for the entrants that were run as the benchmark is defined: on audio."""
        return self.of_entrants([one.name for one in self.entrants if one.arm == "audio"])

    @cached_property
    def models(self) -> Scores:
        """Those of :attr:`protocol` that are no control."""
        kept = [one.name for one in self.protocol.entrants if one.kind != "control"]
        return self.of_entrants(kept)

    def complete_at(self, budget: str, policy: Policy = "paper") -> Scores:
        """The entrants with a full run at a budget, as Appendix C.6 has it: every item of it was
        answered or rejected by the provider, and most were counted."""
        at = self.budget(budget)
        there = self.marks[:, at][:, self.asked[at]]
        lacking = ((there == Mark.ABSENT) | (there == Mark.OUT_OF_SET)).any(axis=1)
        complete = self.counted(policy)[:, at].any(axis=1) & ~lacking
        return self.of_entrants([self.entrants[one].name for one in np.flatnonzero(complete)])


def _places(names: Iterable[T]) -> dict[T, int]:
    return {name: at for at, name in enumerate(names)}


def _field(question: AskedQuestion, field: str) -> object:
    if field == "stratum":
        return "refusal" if question.gold is None else "answerable"
    return getattr(question, field)
