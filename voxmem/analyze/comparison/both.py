"""The marks of two runs over the same axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from voxmem.analyze.accuracy import Policy, Scored
from voxmem.analyze.comparison.common import Place
from voxmem.analyze.comparison.side import Side
from voxmem.analyze.entrants import PROTOCOL, Entrant
from voxmem.analyze.readings import abstained, readings
from voxmem.analyze.scores import Bools, Mark, Scores
from voxmem.records import AskedQuestion

A, B = 0, 1
_NAMES = {(name, PROTOCOL): Entrant(name=name, system=name) for name in "ab"}


@dataclass(frozen=True)
class Both:
    """Two runs on their common items: ``[2, budgets, questions]``, ``a`` first."""

    questions: tuple[AskedQuestion, ...]
    scores: Scores
    """Two entrants, on whatever releases they are."""
    item_ids: dict[Place, str]
    """As the release of ``a`` calls them."""
    replied: Bools
    """Of each, what it said something to."""
    abstained: Bools

    @classmethod
    def of(cls, a: Side, b: Side, places: Sequence[Place]) -> Both:
        """Those at the budgets at which both have responses.

        Args:
            places: Items that are the same in the releases of both.
        """
        mine, theirs = ({_place(row) for row in side.scored} for side in (a, b))
        at = {budget for _, budget in mine} & {budget for _, budget in theirs}
        # What neither was asked is outside of the subset that is compared.
        there = mine | theirs
        asked = [place for place in places if place[1] in at and place in there]
        wanted = set(asked)
        questions = tuple(
            a.release.asked[name] for name in dict.fromkeys(name for name, _ in asked)
        )
        # Under names of their own: they may be one system under two judges.
        rows = [*_as("a", a, wanted), *_as("b", b, wanted)]
        scores = Scores.of(questions, asked, rows, f"{a.judge} | {b.judge}", _NAMES)
        codes = readings(scores, (row.response for row in rows))
        return cls(
            questions,
            scores,
            {(one.question_id, one.budget): one.item_id for one in a.release.histories},
            np.asarray(codes > 0),
            abstained(codes),
        )

    @property
    def budgets(self) -> tuple[str, ...]:
        """Shortest first; none if there are no common items."""
        return self.scores.budgets if len(self.scores.entrants) == 2 else ()

    def counted(self, policy: Policy) -> Bools:
        """``[budgets, questions]``: on both sides."""
        return np.asarray(self.scores.counted(policy).all(axis=0))

    @cached_property
    def asked(self) -> Bools:
        """``[budgets, questions]``."""
        return self.scores.asked

    @cached_property
    def refused(self) -> Bools:
        """``[questions]``: those whose answer is a refusal."""
        return np.array([one.gold is None for one in self.questions], dtype=bool)

    def word(self, side: int, budget: int, question: int) -> str:
        """What became of an item: "correct", "failed", …"""
        mark = Mark(int(self.scores.marks[side, budget, question]))
        return mark.name.lower().replace("_", " ")


def _as(name: str, side: Side, wanted: set[Place]) -> list[Scored]:
    return [
        Scored(
            row.question,
            row.response.model_copy(update={"system": name, "arm": PROTOCOL}),
            row.verdict,
        )
        for row in side.scored
        if _place(row) in wanted
    ]


def _place(row: Scored) -> Place:
    return row.response.question_id, row.response.budget
