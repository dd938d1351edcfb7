"""What people found, as tables of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from voxmem.analyze.audit.answered import answered, readable
from voxmem.analyze.audit.errors.attributed import attributed, errors_of
from voxmem.analyze.audit.errors.records import HumanClass
from voxmem.analyze.audit.errors.summary import Summary as ErrorSummary
from voxmem.analyze.audit.errors.summary import summarise as summarise_errors
from voxmem.analyze.audit.errors.task import ErrorTask
from voxmem.analyze.audit.verdicts.records import VerdictAudit
from voxmem.analyze.audit.verdicts.summary import Summary as VerdictSummary
from voxmem.analyze.audit.verdicts.summary import summarise as summarise_verdicts
from voxmem.analyze.audit.verdicts.task import VerdictTask
from voxmem.analyze.table import Interval, Table
from voxmem.evaluate.run import Run
from voxmem.judge.judges import Judge
from voxmem.quality.labelling.records import Label
from voxmem.records import Record

_WEIGHTS = (
    "Estimates are of all {things}: each that people decided counts for those of its stratum that "
    "it stands for. {missing:.1%} of the different ones are of strata of which nothing is decided."
)


class JudgeAgainstPeople(Record):
    """One judge, or people themselves, on one group of responses."""

    judge: str
    """"people" for what people say."""
    group: str
    """"all", "answerable", an answer type, or "refusal"."""
    n: int
    """Things that people decided and the judge read."""
    unread: int
    correct: Interval = Interval()
    """The share that people call correct."""
    same: Interval = Interval()
    kappa: Interval = Interval()


class AuditorAgainstPeople(Record):
    """One auditor on one class of errors, or on all."""

    auditor: str
    error_class: str
    people: int
    """Errors that people give the class."""
    its: int
    """That the auditor gives it."""
    both: int
    same: Interval = Interval()
    """Of all errors: the share that it classes as people do. Of a class: the share of those that
    are of it by people."""
    kappa: Interval = Interval()


def people_tables(runs: Sequence[Run], judge: Judge) -> Iterator[Table[Any]]:
    """One for verdicts and one for errors, as far as anybody has labelled any.

    Args:
        runs: Whose responses are meant.
        judge: Says what is an error.

    Raises:
        CorruptTable: A part is damaged.
    """
    if _anybody_labelled(runs, VerdictAudit) and readable(runs):
        found = answered(runs)
        yield judges_against_people(summarise_verdicts(found, VerdictTask(found)))
    if _anybody_labelled(runs, HumanClass) and errors_of(runs, judge):
        errors = attributed(runs, judge)
        yield auditors_against_people(summarise_errors(errors, ErrorTask(errors)))


def _anybody_labelled(runs: Sequence[Run], model: type[Label]) -> bool:
    return bool(runs and runs[0].rows.root.tables.parts(model.TABLE))


def judges_against_people(summary: VerdictSummary) -> Table[JudgeAgainstPeople]:
    """Every judge against people, by answer type, refusal apart."""
    people = [
        JudgeAgainstPeople(
            judge="people", group=one.group, n=one.decided, unread=0, correct=one.correct
        )
        for one in summary.people
    ]
    judges = [
        JudgeAgainstPeople(
            judge=one.judge,
            group=one.group,
            n=one.measured.n,
            unread=one.unread,
            same=one.measured.same,
            kappa=one.measured.kappa,
        )
        for one in summary.judges
    ]
    missing = summary.progress.unrepresented
    return Table(
        name="judges-against-people",
        title="Judges against people",
        model=JudgeAgainstPeople,
        rows=(*people, *judges),
        notes=(_WEIGHTS.format(things="responses", missing=missing),),
    )


def auditors_against_people(summary: ErrorSummary) -> Table[AuditorAgainstPeople]:
    """Every auditor against people, by class."""
    rows = [
        row
        for one in summary.auditors
        for row in (
            AuditorAgainstPeople(
                auditor=one.auditor,
                error_class="all",
                people=one.measured.n,
                its=one.measured.n,
                both=sum(each.both for each in one.classes),
                same=one.measured.same,
                kappa=one.measured.kappa,
            ),
            *(
                AuditorAgainstPeople(
                    auditor=one.auditor,
                    error_class=each.error_class,
                    people=each.people,
                    its=each.auditor,
                    both=each.both,
                    same=each.found,
                )
                for each in one.classes
            ),
        )
    ]
    missing = summary.progress.unrepresented
    return Table(
        name="auditors-against-people",
        title="Error auditors against people",
        model=AuditorAgainstPeople,
        rows=tuple(rows),
        notes=(_WEIGHTS.format(things="errors", missing=missing),),
    )
