"""The page of errors: tables of attribution, and some wrong answers of every class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voxmem.analyze.attribution.records import ERROR_CLASSES, EXCLUSIONS, Attribution
from voxmem.analyze.labels import gold_text
from voxmem.analyze.report.cells import shown
from voxmem.analyze.report.grid import Grid, grid
from voxmem.analyze.report.report import Report
from voxmem.analyze.table import Table
from voxmem.records import AskedQuestion

ERROR_TABLES = (
    "error-counts",
    "error-profiles",
    "error-rules",
    "arm-split",
    "auditor-agreement",
    "auditors-against-people",
)
EXAMPLES = 3
"""Of a class."""
LONGEST = 400
"""Characters of a response."""


@dataclass(frozen=True)
class Example:
    """One wrong answer."""

    question_id: str
    question: str
    budget: str
    entrant: str
    said: str
    gold: str
    quote: str
    rule: str


Class = tuple[str, int, tuple[Example, ...]]
"""A class or an exclusion: its name, how many there are, some of them."""


@dataclass(frozen=True)
class ErrorsPage:
    """What the page shows."""

    sections: tuple[tuple[str, Table[Any], Grid], ...]
    auditors: tuple[tuple[str, tuple[Class, ...]], ...]


def errors_page(report: Report) -> ErrorsPage:
    """Of all auditors."""
    questions = {one.question_id: one for one in report.study.scores.questions}
    tables = [report.tables[name] for name in ERROR_TABLES if name in report.tables]
    return ErrorsPage(
        tuple(
            (table.title, table, grid(table, links=report.roster.pages))
            for table in tables
            if table.rows
        ),
        tuple(
            (auditor, _classes(report, questions, found))
            for auditor, found in report.study.attributions.items()
            if found
        ),
    )


def _classes(
    report: Report, questions: Mapping[str, AskedQuestion], found: Sequence[Attribution]
) -> tuple[Class, ...]:
    groups: dict[str, list[Attribution]] = {
        name: [] for name in (*ERROR_CLASSES, *EXCLUSIONS, UNREADABLE)
    }
    for one in found:
        groups[one.excluded or one.error_class or UNREADABLE].append(one)
    return tuple(
        (
            f"Excluded: {shown(name).lower()}" if name in EXCLUSIONS else shown(name),
            len(members),
            tuple(_example(report, questions, one) for one in _spread(members)),
        )
        for name, members in groups.items()
        if members
    )


UNREADABLE = "The auditor’s record cannot be read"


def _spread(members: Sequence[Attribution]) -> list[Attribution]:
    """Some from all over the list, so of different systems and questions."""
    step = max(1, len(members) // EXAMPLES)
    return list(members[::step][:EXAMPLES])


def _example(report: Report, questions: Mapping[str, AskedQuestion], one: Attribution) -> Example:
    question = questions.get(one.question_id)
    response = report.responses.get(one.response_id)
    said = (response.text if response else None) or ""
    place = report.roster.place(response) if response else None
    return Example(
        question_id=one.question_id,
        question=question.text if question else one.question_id,
        budget=one.budget,
        entrant=one.system if place is None else report.roster.entrants[place].name,
        said=said if len(said) <= LONGEST else f"{said[:LONGEST]} …",
        gold=gold_text(question.gold) if question else "",
        quote=one.quote,
        rule=one.rule,
    )
