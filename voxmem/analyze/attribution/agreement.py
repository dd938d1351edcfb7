"""How far an auditor's classes are those that people give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.analyze.statistics.agreement import agreement
from voxmem.analyze.table import Interval, Table
from voxmem.records import Record

ALL = "all"


class ClassAgreement(Record):
    """One auditor against people, on one class or on all."""

    auditor: str
    error_class: str
    n: int
    """Errors that both have classed."""
    people: int
    """Of them, those that people put in the class."""
    audited: int
    """Those that the auditor puts in it."""
    same: int
    """On all classes: classed alike. On one: put in it by both."""
    share: float | None
    """On all classes: of errors that are classed alike. On one: of those that people put in it,
    the ones that the auditor does too."""
    kappa: Interval
    """Cohen's; on one class, of that class against the rest."""


def agreement_with_people(
    auditor: str, audited: Mapping[str, str], people: Mapping[str, str]
) -> Table[ClassAgreement]:
    """All classes together, then one by one.

    Args:
        auditor: Its name and version.
        audited: Response id → class. Errors that one of the two has not classed are left out.
        people: Response id → class.
    """
    names = sorted(audited.keys() & people.keys())
    ours, theirs = [audited[name] for name in names], [people[name] for name in names]
    overall = agreement(theirs, ours)
    rows = [
        ClassAgreement(
            auditor=auditor,
            error_class=ALL,
            n=len(names),
            people=len(names),
            audited=len(names),
            same=overall.same,
            share=overall.share,
            kappa=overall.kappa,
        ),
        *(_on_class(auditor, one, ours, theirs) for one in ERROR_CLASSES),
    ]
    left = len(people) - len(names)
    return Table(
        name="auditor-agreement",
        title="Auditors against people",
        model=ClassAgreement,
        rows=tuple(rows),
        notes=(f"{left} errors that people classed have no class by {auditor}.",) if left else (),
    )


def confusion(audited: Mapping[str, str], people: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """(class by people, class by the auditor) → errors."""
    return Counter((people[name], audited[name]) for name in audited.keys() & people.keys())


def _on_class(auditor: str, one: str, ours: list[str], theirs: list[str]) -> ClassAgreement:
    mine, human = [each == one for each in ours], [each == one for each in theirs]
    both = sum(a and b for a, b in zip(mine, human, strict=True))
    return ClassAgreement(
        auditor=auditor,
        error_class=one,
        n=len(ours),
        people=sum(human),
        audited=sum(mine),
        same=both,
        share=both / sum(human) if any(human) else None,
        kappa=agreement(human, mine).kappa,
    )
