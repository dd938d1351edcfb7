"""What people found: which classes errors are of, and how far each auditor says so."""

from __future__ import annotations

from collections.abc import Mapping

from voxmem.analyze.attribution.records import ERROR_CLASSES, Attribution, ErrorClass
from voxmem.analyze.audit.answered import Unit
from voxmem.analyze.audit.errors.attributed import Attributed
from voxmem.analyze.audit.errors.task import ErrorTask
from voxmem.analyze.audit.measured import (
    Measured,
    Pair,
    interval,
    measured,
    measured_text,
    share_text,
)
from voxmem.analyze.audit.progress import (
    Progress,
    decisions,
    progress,
    progress_text,
    stands_for,
)
from voxmem.analyze.labels import label
from voxmem.analyze.table import Interval
from voxmem.quality.labelling.agreement import Agreement, agreement, agreement_text
from voxmem.quality.labelling.share import share
from voxmem.records import Record


class ClassOfPeople(Record):
    """How many errors people give a class."""

    error_class: ErrorClass
    decided: int
    """Of those that people decided."""
    share: Interval
    """Of all errors."""


class AuditorOnClass(Record):
    """One auditor against people, on one class."""

    error_class: ErrorClass
    people: int
    """That people give the class, of those that both have classed."""
    auditor: int
    both: int
    found: Interval
    """Of the errors that are of it by people, the share that is by the auditor."""
    right: Interval
    """Of the errors that are of it by the auditor, the share that is by people."""


class AuditorOnErrors(Record):
    """One auditor against people."""

    auditor: str
    unread: int
    """Errors that people decided and the auditor did not."""
    measured: Measured
    classes: tuple[AuditorOnClass, ...]


class Summary(Record):
    """The state of an audit of errors. Shares and kappas are of all errors: each that was labelled
    counts for those of its stratum that it stands for."""

    progress: Progress
    people: tuple[ClassOfPeople, ...]
    auditors: tuple[AuditorOnErrors, ...]
    agreement: Agreement
    """Between annotators."""


def summarise(attributed: Attributed, task: ErrorTask) -> Summary:
    """What is known so far. Labels of a larger queue count as well."""
    said = task.latest()
    decided, weights = decisions(said), stands_for(task, said)
    return Summary(
        progress=progress(task, said),
        people=tuple(
            ClassOfPeople(
                error_class=one,
                decided=sum(decided[name] == one for name in weights),
                share=interval(
                    share((weight, decided[name] == one) for name, weight in weights.items())
                ),
            )
            for one in ERROR_CLASSES
        ),
        auditors=tuple(
            _on_errors(auditor, found, task, decided, weights)
            for auditor, found in attributed.auditors.items()
        ),
        agreement=agreement(said),
    )


def class_by(unit: Unit, found: Mapping[str, Attribution]) -> str | None:
    """The class that an auditor's record leads to, of the first of the same errors that it has
    classed; ``None``: it has not, or its records could not be read."""
    classed = (found.get(row.response_id) for row in unit.responses)
    return next((row.error_class for row in classed if row and row.error_class), None)


def _on_errors(
    auditor: str,
    found: Mapping[str, Attribution],
    task: ErrorTask,
    decided: Mapping[str, str],
    weights: Mapping[str, float],
) -> AuditorOnErrors:
    classed = {name: class_by(task.units[name], found) for name in weights}
    pairs = [
        Pair(decided[name], machine, weights[name])
        for name, machine in classed.items()
        if machine is not None
    ]
    return AuditorOnErrors(
        auditor=auditor,
        unread=len(weights) - len(pairs),
        measured=measured(pairs),
        classes=tuple(_on_class(one, pairs) for one in ERROR_CLASSES),
    )


def _on_class(one: ErrorClass, pairs: list[Pair]) -> AuditorOnClass:
    by_people = [pair for pair in pairs if pair.people == one]
    by_auditor = [pair for pair in pairs if pair.machine == one]
    return AuditorOnClass(
        error_class=one,
        people=len(by_people),
        auditor=len(by_auditor),
        both=sum(pair.machine == one for pair in by_people),
        found=interval(share((pair.weight, pair.machine == one) for pair in by_people)),
        right=interval(share((pair.weight, pair.people == one) for pair in by_auditor)),
    )


def as_text(summary: Summary) -> str:
    """The summary as lines."""
    lines = [*progress_text(summary.progress, "errors")]
    for one in summary.people:
        shown = f"{share_text(one.share)} of all errors ({one.decided} decided)"
        lines += [f"  {'people':<24}{label(one.error_class):<18}{shown}"] if one.decided else []
    for row in summary.auditors:
        unread = f", {row.unread} not classed" if row.unread else ""
        if row.measured.n or row.unread:
            shown = f"agrees on {measured_text(row.measured)}{unread}"
            lines.append(f"  {row.auditor:<24}{'All':<18}{shown}")
        for each in row.classes:
            if each.people or each.auditor:
                shown = f"{each.both} of {each.people} of people's, of {each.auditor} of its own"
                lines.append(f"  {'':<24}{label(each.error_class):<18}{shown}")
    lines += agreement_text(summary.agreement, "errors")
    return "\n".join(lines)
