"""Which of the records of prediction files are taken: one a model, arm and item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.predicted import LostLine
from voxmem.interop.predictions.judgement import Judgement, judgement
from voxmem.interop.predictions.read import Found
from voxmem.interop.predictions.row import ARMS
from voxmem.records import History


@dataclass
class Taken:
    """A record that is taken, and what judges said of it in this row and in others."""

    found: Found
    history: History
    judgements: dict[str, Judgement] = field(default_factory=dict)
    """By judge."""


class Sorter:
    """Takes one record for each model, arm and item of a release."""

    def __init__(self, rows: ReleaseRows) -> None:
        self._histories = {history.item_id: history for history in rows.histories}
        self._asked = rows.asked
        self.taken: dict[tuple[str, str, str], Taken] = {}
        self.lost: list[LostLine] = []

    def add(self, found: Found | LostLine) -> None:
        """Takes a record, or notes why not."""
        if isinstance(found, LostLine):
            self.lost.append(found)
            return
        said = found.prediction
        history = self._histories.get(said.item_id)
        if history is None:
            self.lost.append(found.lost(f"{said.item_id} is no item of the release"))
        elif said.question_text not in (None, self._asked[history.question_id].text):
            self.lost.append(found.lost(f"{said.item_id} asks something else in the release"))
        else:
            self._place(found, history)

    def judges(self, model: str) -> Iterator[str]:
        """Who has judged a model's records, by name, in the order in which they come."""
        rows = (taken for (each, _, _), taken in self.taken.items() if each == model)
        yield from dict.fromkeys(judge for taken in rows for judge in taken.judgements)

    def runs(self, model: str) -> Iterator[tuple[str, str]]:
        """The budgets and arms of a model's records, in the order of the release."""
        budgets = dict.fromkeys(history.budget for history in self._histories.values())
        there = {
            (taken.history.budget, arm)
            for (each, arm, _), taken in self.taken.items()
            if each == model
        }
        yield from ((budget, arm) for arm in ARMS for budget in budgets if (budget, arm) in there)

    def of(self, model: str, budget: str, arm: str) -> list[Taken]:
        """The records of one run, in the order of the release."""
        found = {
            item: taken
            for (each, under, item), taken in self.taken.items()
            if (each, under, taken.history.budget) == (model, arm, budget)
        }
        return [found[item] for item in self._histories if item in found]

    def _place(self, found: Found, history: History) -> None:
        said = found.prediction
        place = (said.model, said.arm, said.item_id)
        before = self.taken.get(place)
        if before is None:
            self._take(place, found, history)
        elif said.answer == before.found.prediction.answer:
            self._add_judgement(found, before)
        elif before.found.prediction.outcome != "ok" and said.outcome == "ok":
            self.lost.append(before.found.lost(f"{said.item_id}: a later row has an answer"))
            self._take(place, found, history)
        else:
            reason = f"{said.item_id} differs from line {before.found.line}, which is kept"
            self.lost.append(found.lost(reason))

    def _take(self, place: tuple[str, str, str], found: Found, history: History) -> None:
        self.taken[place] = Taken(found, history)
        self._add_judgement(found, self.taken[place])

    def _add_judgement(self, found: Found, taken: Taken) -> None:
        """The same answer again may bring the word of another judge, or one that can be read."""
        said, item = found.prediction, found.prediction.item_id
        new = judgement(said.verdict, said.judge, said.judge_raw)
        old = taken.judgements.get(new.judge) if new else None
        if new and (old is None or (old.status == "unparsed" and new.status != "unparsed")):
            taken.judgements[new.judge] = new
        elif new and old != new:
            reason = f"the verdict on {item} differs from an earlier one, which is kept"
            self.lost.append(found.lost(reason))
        elif taken.found is not found:
            self.lost.append(found.lost(f"{item} as in line {taken.found.line}"))
