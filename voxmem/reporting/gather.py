"""What systems said, and what judges and auditors made of it, each row read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voxmem import score
from voxmem.analyze.accuracy import Scored, join
from voxmem.analyze.attribution.annotations import AnnotationAuditor
from voxmem.analyze.attribution.kept import by_auditor
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.positions import evidence_positions
from voxmem.analyze.readings import readings
from voxmem.analyze.scores import Scores
from voxmem.analyze.study import Study
from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.predicted import imported_predictions
from voxmem.evaluate.run import Run, responses
from voxmem.evaluate.subset import Estimate
from voxmem.judge import Judge
from voxmem.judge import kept as verdicts
from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.records import Response
from voxmem.reporting.wanted import Wanted


@dataclass(frozen=True)
class Gathered:
    """Everything a report shows."""

    study: Study
    scored: dict[str, tuple[Scored, ...]]
    """Judge → responses with its verdicts."""
    estimates: dict[str, Estimate]
    """Run → what it says of the whole that it was asked a part of."""


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
        scored = join(run.rows.asked, wanted, verdicts.kept(run, judge, wanted).values())
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
