"""The page of one entrant: what every table says of it, and how its answers came about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.labels import SHORT_EVIDENCE, label
from voxmem.analyze.report.cells import NOTHING, Cell, cell
from voxmem.analyze.report.grid import Grid, grid
from voxmem.analyze.report.report import Report
from voxmem.analyze.table import Table
from voxmem.records import Record, Response
from voxmem.taxonomy import CELLS, EvidenceType, Operation
from voxmem.taxonomy import Cell as Place

CELLS_TABLE = "operation-by-evidence-by-entrant"
TOTALS_TABLE = "strata-and-policies"
ELSEWHERE = ("leaderboard", CELLS_TABLE)
"""Tables that a model's page shows in another way."""
SUBJECTS = (("entrant",), ("system",), ("a", "b"))
"""Fields that name whom a row is about: the first of these that a table has."""
MOST_FAILURES = 12


@dataclass(frozen=True)
class Heat:
    """Accuracy by memory operation and evidence type at one budget."""

    title: str
    columns: tuple[tuple[str, str], ...]
    """Evidence type, in short and in full."""
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    """Operation → its cells; ``None`` where the benchmark has no such cell."""


Failure = tuple[str, str, int, tuple[str, str, str]]
"""Outcome, what was reported, how often, and one item: question, budget, id."""


@dataclass(frozen=True)
class ModelPage:
    """What the page of one entrant shows."""

    who: Entrant
    about: str
    flags: tuple[str, ...]
    headline: tuple[tuple[str, tuple[Cell, ...]], ...]
    """Budget → accuracy over all items, a policy each, the leading one first."""
    heats: tuple[tuple[Policy, tuple[Heat, ...]], ...]
    failures: tuple[Failure, ...]
    sections: tuple[tuple[str, Table[Any], Grid], ...]
    """Title, table, and its rows about the entrant."""


class Models:
    """The pages of all entrants: the tables are gone through once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._about = {
            name: (table, Subjects(table))
            for name, table in report.tables.items()
            if name not in ELSEWHERE
        }
        self._cells = _indexed(report, CELLS_TABLE)
        self._totals = _indexed(report, TOTALS_TABLE)
        self._responses: dict[int | None, list[Response]] = {}
        for response in report.responses.values():
            self._responses.setdefault(report.roster.place(response), []).append(response)

    def page(self, who: Entrant) -> ModelPage:
        """Everything about one entrant."""
        place = self._report.roster.entrants.index(who)
        return ModelPage(
            who=who,
            about=_about(who),
            flags=tuple(line for line in self._report.flags if _names(line, who.system)),
            headline=tuple(
                (budget, self.totals(who.name, budget)) for budget in self._budgets(who)
            ),
            heats=self._heats(who.name),
            failures=_failures(self._responses.get(place, ())),
            sections=self._sections(who),
        )

    def totals(self, name: str, budget: str) -> tuple[Cell, ...]:
        """Accuracy over all items under each policy, the leading one first."""
        rows = self._totals.get(name, ())
        found = {row.policy: row for row in rows if (row.budget, row.stratum) == (budget, "all")}
        return tuple(
            cell("accuracy", found[policy].accuracy) if policy in found else NOTHING
            for policy in self._report.policies
        )

    def _budgets(self, who: Entrant) -> list[str]:
        """Those that it was run at."""
        return [
            budget
            for budget in self._report.study.scores.budgets
            if any(one.text != NOTHING.text for one in self.totals(who.name, budget))
        ]

    def _heats(self, name: str) -> tuple[tuple[Policy, tuple[Heat, ...]], ...]:
        rows = self._cells.get(name, ())
        found = []
        for policy in self._report.policies:
            heats = tuple(
                _heat(budget, [row for row in rows if (row.policy, row.budget) == (policy, budget)])
                for budget in self._report.study.scores.budgets
            )
            found.append((policy, tuple(heat for heat in heats if heat is not None)))
        return tuple((policy, heats) for policy, heats in found if heats)

    def _sections(self, who: Entrant) -> tuple[tuple[str, Table[Any], Grid], ...]:
        found = []
        for table, subjects in self._about.values():
            # What compares arms is of a system, what is of an entrant is of one arm.
            rows = subjects.get(who.system if "system" in subjects.fields else who.name)
            if rows:
                alone = subjects.fields if len(subjects.fields) == 1 else ()
                laid = grid(table, rows=rows, without=alone, links=self._report.roster.pages)
                found.append((table.title, table, laid))
        return tuple(found)


def _names(line: str, system: str) -> bool:
    """Whether a line names the system, and not one whose name is longer."""
    return re.search(rf"(?<![\w.-]){re.escape(system)}(?!\w|[.-]\w)", line) is not None


class Subjects(dict[str, list[Record]]):
    """Entrant or system → the rows of one table about it."""

    def __init__(self, table: Table[Any]) -> None:
        super().__init__()
        names = table.model.model_fields
        self.fields = next((one for one in SUBJECTS if names.keys() >= set(one)), ())
        for row in table.rows:
            for name in dict.fromkeys(getattr(row, field) for field in self.fields):
                self.setdefault(name, []).append(row)


def _indexed(report: Report, name: str) -> Mapping[str, list[Any]]:
    table = report.tables.get(name)
    found: dict[str, list[Any]] = {}
    for row in table.rows if table else ():
        found.setdefault(row.entrant, []).append(row)
    return found


def _heat(budget: str, rows: Sequence[Any]) -> Heat | None:
    held = {(row.operation, row.evidence): cell("accuracy", row.accuracy) for row in rows}
    if all(one.text == NOTHING.text for one in held.values()):
        return None
    return Heat(
        f"At {budget}",
        tuple((SHORT_EVIDENCE[kind], label(kind)) for kind in EvidenceType),
        tuple(
            (
                label(operation),
                tuple(
                    held.get((operation.value, kind.value), NOTHING)
                    if Place(operation, kind) in CELLS
                    else None
                    for kind in EvidenceType
                ),
            )
            for operation in Operation
        ),
    )


def _failures(responses: Sequence[Response]) -> tuple[Failure, ...]:
    """The most frequent ones, with one item each."""
    kinds: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], Response] = {}
    for one in responses:
        if one.outcome not in ("ok", "truncated"):
            kind = (label(one.outcome), one.error or one.finish_reason or "")
            kinds[kind] += 1
            example.setdefault(kind, one)
    return tuple(
        (*kind, n, (one.question_id, one.budget, one.item_id))
        for kind, n in kinds.most_common(MOST_FAILURES)
        for one in (example[kind],)
    )


def _about(who: Entrant) -> str:
    kind = {
        "control": "A control, which knows the annotations",
        "memory": "A memory system",
        "model": "A model",
        "predictions": "Known by its answers alone",
    }[who.kind]
    group = f" of the group {who.group}" if who.group else ""
    family = f", family {who.family}" if who.family else ""
    arm = "" if who.arm == "audio" else f", under the arm {who.arm}"
    return f"{kind}{group}{family}{arm}."
