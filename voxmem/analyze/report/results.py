"""What the report says about accuracy: its tables, and the figures drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voxmem.analyze import figures
from voxmem.analyze.accuracy import Accuracy, Scored
from voxmem.analyze.figures import Series
from voxmem.analyze.grouped import AccuracyRow, AccuracyTable, Asked, accuracy_table
from voxmem.analyze.labels import STRATA, budgets_ascending, label, ordered
from voxmem.evaluate.items import ReleaseRows
from voxmem.taxonomy import CELLS, EvidenceType

POOLED = "pooled"
ANSWERABLE = "answerable"


@dataclass(frozen=True)
class Results:
    """Tables by name, figures by name, and the groups that they run over."""

    systems: tuple[str, ...]
    budgets: tuple[str, ...]
    tables: Mapping[str, AccuracyTable]
    outcomes: Mapping[str, Counter[str]]
    """System → how many of its responses had which outcome."""
    abstaining: Mapping[str, float]
    """What always abstaining scores at each budget on all items."""
    figures: Mapping[str, str]
    """SVG to be put into a page."""

    @classmethod
    def of(cls, rows: ReleaseRows, scored: Sequence[Scored]) -> Results:
        """Everything that one judge's verdicts on one release give."""
        asked = [(rows.asked[one.question_id], one.budget) for one in rows.histories]
        systems = ordered(row.response.system for row in scored)
        budgets = budgets_ascending(budget for _, budget in asked)
        tables = _tables(scored, asked)
        abstaining = _abstaining(asked, budgets)
        drawn = {
            **_heat_maps(tables["cells"], systems, budgets),
            **_scaling(tables, systems, budgets, abstaining),
        }
        outcomes: dict[str, Counter[str]] = {name: Counter() for name in systems}
        for row in scored:
            outcomes[row.response.system][row.response.outcome] += 1
        return cls(systems, budgets, tables, outcomes, abstaining, drawn)

    @property
    def mishaps(self) -> tuple[str, ...]:
        """The outcomes other than ``ok`` that occur."""
        found = ordered(name for counts in self.outcomes.values() for name in counts)
        return tuple(name for name in found if name != "ok")

    def standalone_figures(self) -> dict[str, str]:
        """The figures as files."""
        return {name: figures.standalone(svg) for name, svg in self.figures.items()}


def heat_map_name(system: str, budget: str) -> str:
    """The figure of one system at one budget."""
    return f"heat-map-{_slug(system)}-{budget}"


def _slug(name: str) -> str:
    """A name as a part of a file name."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)


def _tables(scored: Sequence[Scored], asked: Sequence[Asked]) -> dict[str, AccuracyTable]:
    return {
        "responses": accuracy_table(scored, [], asked),
        "pooled": accuracy_table(scored, ["budget"], asked),
        "strata": accuracy_table(scored, ["budget", "stratum"], asked),
        "evidence": accuracy_table(scored, ["budget", "stratum", "evidence"], asked),
        "cells": accuracy_table(scored, ["budget", "operation", "evidence"], asked),
    }


def _abstaining(asked: Sequence[Asked], budgets: Sequence[str]) -> dict[str, float]:
    golds = {name: [one.gold for one, budget in asked if budget == name] for name in budgets}
    return {name: found.count(None) / len(found) for name, found in golds.items()}


def _heat_maps(
    cells: AccuracyTable, systems: Sequence[str], budgets: Sequence[str]
) -> dict[str, str]:
    return {
        heat_map_name(system, budget): figures.heat_map(
            {
                cell: row
                for cell in CELLS
                if (row := cells.get("paper", system, budget, cell.operation, cell.evidence))
                and row.expected
            },
            f"Accuracy of {system} at {budget} by memory operation and evidence type",
        )
        for system in systems
        for budget in budgets
    }


def _scaling(
    tables: Mapping[str, AccuracyTable],
    systems: Sequence[str],
    budgets: Sequence[str],
    abstaining: Mapping[str, float],
) -> dict[str, str]:
    def panel(
        title: str,
        table: str,
        *group: str,
        reference: Mapping[str, float] | None = None,
    ) -> str:
        lines = [
            Series(system, _points(tables[table], system, budgets, *group)) for system in systems
        ]
        return figures.scaling_panel(lines, budgets, title, reference)

    panels = {
        f"scaling-{POOLED}": panel("All items", "pooled", reference=abstaining),
        **{
            f"scaling-{name}": panel(f"{shown} items", "strata", name)
            for name, shown in STRATA.items()
        },
        **{
            f"scaling-{kind}": panel(
                f"{label(kind)}, answerable items", "evidence", ANSWERABLE, kind
            )
            for kind in EvidenceType
        },
    }
    return panels if budgets else {}


def _points(
    table: AccuracyTable, system: str, budgets: Sequence[str], *group: str
) -> dict[str, Accuracy]:
    found: dict[str, AccuracyRow | None] = {
        budget: table.get("paper", system, budget, *group) for budget in budgets
    }
    return {budget: row for budget, row in found.items() if row is not None}
