"""What a report is made of: what systems said, what judges and auditors made of it, the choices."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from voxmem import score
from voxmem.analyze.accuracy import Scored, join
from voxmem.analyze.attribution.annotations import AnnotationAuditor
from voxmem.analyze.attribution.kept import TABLE as AUDITS
from voxmem.analyze.attribution.kept import by_auditor
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.audit.errors.records import HumanClass
from voxmem.analyze.audit.verdicts.records import VerdictAudit
from voxmem.analyze.positions import evidence_positions
from voxmem.analyze.readings import readings
from voxmem.analyze.scores import Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables import prejudge
from voxmem.analyze.tables.dataset import dataset_tables
from voxmem.errors import InputError
from voxmem.evaluate.arms import ARMS
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.predicted import imported_predictions
from voxmem.evaluate.run import TABLE, Run, responses
from voxmem.evaluate.subset import Estimate
from voxmem.judge import Judge
from voxmem.judge import kept as verdicts
from voxmem.judge.flags import Flag, flags, gate_roles
from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.judge.names import PREJUDGED
from voxmem.judge.panel import PREFIX as PANEL
from voxmem.keys import short
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import SYSTEMS
from voxmem.quality.audit.records import ClipAudit
from voxmem.quality.labelling.records import Labels
from voxmem.records import Record, Response
from voxmem.store import files

LABELS = (VerdictAudit, HumanClass, ClipAudit)
"""What people say of responses and of clips."""
REVISION = 6
"""Raise it when the same rows lead to another report."""


class Wanted(Record):
    """Whose reading of the responses is reported, and how."""

    judges: tuple[str, ...] = Field(default=("rule",), min_length=1)
    """The first one leads."""
    choices: Choices = Field(default_factory=Choices)


@dataclass(frozen=True)
class Gathered:
    """Everything a report shows."""

    study: Study
    scored: dict[str, tuple[Scored, ...]]
    """Judge → responses with its verdicts."""
    estimates: dict[str, Estimate]
    """Run → what it says of the whole that it was asked a part of."""


def everything(rows: ReleaseRows, job: Job, *, systems: bool, arms: bool) -> Job:
    """The same job over what has left responses on a release.

    Systems that ask a model of the catalogue (``NAME@MODEL``) must be named.

    Args:
        systems: Over all such systems, instead of those of the job.
        arms: Over all such arms, likewise.
    """
    names = (*score.EMBEDDED.systems, *SYSTEMS, *catalogue(), *imported_predictions(rows))
    asked = job.model_copy(
        update={
            **({"systems": tuple(dict.fromkeys(names))} if systems else {}),
            **({"arms": tuple(ARMS)} if arms else {}),
        }
    )
    there = [run for run in asked.runs(rows) if rows.root.tables.has(TABLE, run.part)]
    if not there:
        return job
    return asked.model_copy(
        update={
            "systems": tuple(dict.fromkeys(run.system.name for run in there)),
            "arms": tuple(dict.fromkeys(run.arm_name for run in there)),
        }
    )


def gathered(rows: ReleaseRows, job: Job, wanted: Wanted) -> Gathered:
    """Everything that judges and auditors have left of a job's runs.

    A run that was not evaluated, or that a judge has not seen, is said in the notes.

    Raises:
        InputError: The judge that leads has seen nothing.
        UsageError: There is no such judge.
    """
    runs, answered = _runs(rows, job)
    judges = [score.judge_of(job, name) for name in wanted.judges]
    read = {
        judge.identity: [_Read.of(run, job, judge, answered) for run in runs] for judge in judges
    }
    scored = {name: tuple(row for one in each for row in one.scored) for name, each in read.items()}
    leading = judges[0]
    if not scored[leading.identity]:
        raise InputError(
            f"has no responses that {leading.name} has judged",
            item=rows.release.release_id,
            stage="report",
            remedy=_remedy(rows, leading),
        )
    scores = [_scores(rows, name, each) for name, each in read.items()]
    study = Study(
        scores=scores[0],
        choices=wanted.choices,
        others=tuple(scores[1:]),
        attributions=_attributions(rows, scored[leading.identity]),
        readings=readings(scores[0], (row.response for row in scored[leading.identity])),
        positions=evidence_positions(rows.histories),
    )
    estimates = (
        (one.run.name, part)
        for one in read[leading.identity]
        if (part := score.estimated(one.run, job, one.answered, one.scored)) is not None
    )
    return Gathered(study, scored, dict(estimates))


def _runs(rows: ReleaseRows, job: Job) -> tuple[list[Run], dict[str, list[Response] | None]]:
    """The runs that a report is of, and what each has left.

    Not every system is run in every arm: an arm that a system was never run in is not missing,
    unless it was run in none.
    """
    runs = job.runs(rows)
    answered = {run.part: responses(run) for run in runs}
    there = {(run.system.name, run.arm_name) for run in runs if answered[run.part] is not None}
    known = {system for system, _ in there}
    kept = [
        run
        for run in runs
        if (run.system.name, run.arm_name) in there or run.system.name not in known
    ]
    return kept, answered


def _remedy(rows: ReleaseRows, judge: Judge) -> str:
    found = imported_predictions(rows).values()
    known = dict.fromkeys(f"{IMPORTED}{name}" for one in found for name in one.judges)
    if judge.name.startswith(IMPORTED) and known:
        return f"there are verdicts of: {', '.join(known)}"
    return "run voxmem evaluate and voxmem judge with the same --root first"


@dataclass(frozen=True)
class _Read:
    """What one judge has left of one run."""

    run: Run
    answered: tuple[Response, ...]
    scored: tuple[Scored, ...]
    note: str
    """What is missing; "" if nothing is."""

    @classmethod
    def of(
        cls, run: Run, job: Job, judge: Judge, answered: Mapping[str, list[Response] | None]
    ) -> _Read:
        said = answered[run.part]
        if said is None:
            return cls(run, (), (), f"{run.name}: not evaluated")
        asked = set(job.questions(run.rows, run.budget))
        wanted = tuple(row for row in said if row.question_id in asked)
        scored = join(run.rows.asked, wanted, verdicts.kept(run, judge, said).values())
        lacking = len(wanted) - len(scored)
        note = f"{run.name}: {lacking} responses not judged" if lacking else ""
        return cls(run, wanted, tuple(scored), note)


def _attributions(
    rows: ReleaseRows, scored: Sequence[Scored]
) -> dict[str, tuple[Attribution, ...]]:
    """What auditors made of the errors. Of the one that goes by annotations, only this version:
    what an earlier one has left is done again by the same command."""
    ours = AnnotationAuditor()
    found = by_auditor(rows.root.tables, scored)
    stale = [name for name in found if name.startswith(f"{ours.name}-") and name != ours.identity]
    return {name: each for name, each in found.items() if name not in stale}


def _scores(rows: ReleaseRows, judge: str, read: Sequence[_Read]) -> Scores:
    asked = [(one.question_id, one.budget) for one in rows.histories]
    scored = (row for one in read for row in one.scored)
    notes = [one.note for one in read if one.note]
    return Scores.of(rows.asked.values(), asked, scored, judge, notes=notes)


def write_report(rows: ReleaseRows, job: Job, wanted: Wanted, out: Path) -> Path:
    """Writes the report unless the same one is there. Returns its first page.

    Raises:
        InputError: The judge that leads has seen nothing.
        UsageError: There is no such judge, or the folder holds another page.
        StoreError: The folder cannot be written.
    """
    from voxmem.analyze.audit.tables import people_tables
    from voxmem.analyze.report import write_report as write
    from voxmem.analyze.tables import all_tables

    stamp = out / ".report-key"
    key = report_key(rows, job, wanted).encode()
    page = out / "index.html"
    if files.is_file(page) and files.read_or_none(stamp) == key:
        return page
    with files.os_errors("write", out):
        stamp.unlink(missing_ok=True)
    with _uncollected():
        found = gathered(rows, job, wanted)
        people = people_tables(job.runs(rows), score.judge_of(job, wanted.judges[0]))
        written = write(
            rows,
            found.study,
            {
                **dataset_tables(rows),
                **all_tables(found.study),
                **{table.name: table for table in (*_prejudged(found), *people)},
            },
            found.scored,
            out,
            flags=[str(flag) for flag in _flags(rows, job, wanted, found.study.attributions)],
            estimates=list(found.estimates.items()),
            labels=[row for kind in LABELS for row in Labels(rows.root.tables, kind).rows()],
        )
    files.write_whole(out, stamp, key, durable=False)
    return written


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for garbage: millions of records stay to the end, and going through them
    again and again is a quarter of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _prejudged(found: Gathered) -> Iterator[Table[Any]]:
    """What rules would settle before a judge is paid, where a model was shown every reply."""
    asked = {
        judge: rows
        for judge, rows in found.scored.items()
        if any(row.verdict.rubric for row in rows)
        and not judge.startswith((PREJUDGED, PANEL, IMPORTED))
    }
    if asked:
        yield prejudge.make(asked)


def _flags(rows: ReleaseRows, job: Job, wanted: Wanted, auditors: Iterable[str]) -> list[Flag]:
    """Judges, auditors and gates that are no strangers to those evaluated."""
    roles = gate_roles(rows.release.versions)
    roles["judge"] = [*roles.get("judge", ()), *wanted.judges]
    roles["auditor"] = [*roles.get("auditor", ()), *auditors]
    return flags(roles, job.systems)


def report_key(rows: ReleaseRows, job: Job, wanted: Wanted) -> str:
    """Names the content of a report: the release, the choices, and every row that it shows."""
    return short(
        "report", REVISION, rows.release.release_id, wanted, list(_shown(rows, job, wanted))
    )


def _shown(rows: ReleaseRows, job: Job, wanted: Wanted) -> Iterator[object]:
    judges = [score.judge_of(job, name) for name in wanted.judges]
    tables = rows.root.tables
    for audit in (AUDITS, *(kind.TABLE for kind in LABELS)):
        yield [(audit, part, tables.fingerprint(audit, part)) for part in tables.parts(audit)]
    for run in job.runs(rows):
        yield job.questions(rows, run.budget)
        parts = [(TABLE, run.part)]
        parts += [(verdicts.TABLE, verdicts.part_of(run, judge)) for judge in judges]
        yield [(*part, tables.fingerprint(*part)) for part in parts]
