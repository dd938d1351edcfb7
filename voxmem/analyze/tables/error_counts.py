"""Attributed errors in absolute counts (VoxMem, Table 20 and Appendix E)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from voxmem.analyze.attribution.records import ErrorClass
from voxmem.analyze.attribution.rules import RULES
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables.errors import LEAST, By, Group, Population, population, tally
from voxmem.records import Record

NOTHING = "No model was run on audio, so that there are no errors to attribute."


class ErrorCountRow(Record):
    """One group of errors by one auditor: attempts, what was wrong, and why."""

    auditor: str
    budget: str
    by: By
    value: str
    """A subtype, an evidence type, an operation, or "all"."""
    attempts: int
    incorrect: int
    refusals: int
    empty: int
    cut: int
    open: int
    """Wrong, and not audited, or not so that it can be read."""
    recognition: int
    binding: int
    operation: int
    unsupported: int
    not_attributable: int
    attributed: int
    """The five together."""
    cells: int
    """Entrant × evidence cells of the group with at least five attributed errors."""


class RuleRow(Record):
    """How many errors one rule decided."""

    auditor: str
    budget: str
    rule: str
    error_class: ErrorClass
    what: str
    errors: int


def make(study: Study, *, budget: str | None = None) -> Table[ErrorCountRow]:
    """Counts by subtype, evidence type and operation; at the longest budget if none is named."""
    found = population(study, budget)
    rows = [
        _row(found, auditor, group)
        for auditor in (found.attributions if found else ())
        for group in (found.groups if found else ())
        if found is not None
    ]
    return Table(
        name="error-counts",
        title="Attributed errors",
        model=ErrorCountRow,
        rows=tuple(rows),
        source="VoxMem, Table 20",
        notes=(*(found.notes if found else (NOTHING,)), _counting(), *_open(rows)),
    )


def by_rule(study: Study, *, budget: str | None = None) -> Table[RuleRow]:
    """Counts by the rule that decided, in the order of the rules."""
    found = population(study, budget)
    rows = []
    for auditor, members in found.attributions.items() if found else ():
        times = Counter(row.rule for row in members)
        rows += [
            RuleRow(
                auditor=auditor,
                budget=found.budget if found else "",
                rule=rule.name,
                error_class=rule.error_class,
                what=rule.what,
                errors=times[rule.name],
            )
            for rule in RULES
        ]
    return Table(
        name="error-rules",
        title="Attributed errors by the rule that decided",
        model=RuleRow,
        rows=tuple(rows),
        source="VoxMem, Appendix E.2",
        notes=found.notes if found else (NOTHING,),
    )


def _row(found: Population, auditor: str, group: Group) -> ErrorCountRow:
    members = found.members(auditor, group)
    excluded = Counter(row.excluded for row in members)
    classes = tally(members)
    incorrect, attributed = found.marked(group, Mark.INCORRECT, Mark.FAILED), sum(classes.values())
    by, value = group
    return ErrorCountRow(
        auditor=auditor,
        budget=found.budget,
        by=by,
        value=value,
        attempts=found.attempts(group),
        incorrect=incorrect,
        refusals=excluded["refusal"],
        empty=excluded["empty"],
        cut=excluded["cut"],
        open=incorrect - sum(row.excluded is not None for row in members) - attributed,
        attributed=attributed,
        cells=len(found.cells(auditor, group)),
        **classes,
    )


def _open(rows: Iterable[ErrorCountRow]) -> Iterator[str]:
    for row in rows:
        if row.by == "all" and row.open:
            yield (
                f"Open: {row.auditor} has not read {row.open} of {row.incorrect} wrong responses, "
                "or left nothing that can be read; voxmem attribute goes on."
            )


def _counting() -> str:
    return (
        "Wrong are answers that the judge takes as wrong, and generations that failed. Refusals, "
        "empty answers and those that stop mid-sentence commit to nothing and are not attributed. "
        f"Cells are entrant × evidence cells with at least {LEAST} attributed errors."
    )
