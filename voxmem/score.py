"""The evaluation road: run systems over a release, judge what they said, trace the errors."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.analyze.accuracy import Scored, join
from voxmem.analyze.attribution import runner as attribution
from voxmem.analyze.attribution.auditors import Auditor, make_auditor
from voxmem.analyze.attribution.runner import Attributed
from voxmem.errors import InputError
from voxmem.evaluate import controls
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run, is_settled, responses, settled
from voxmem.evaluate.subset import ALL, Estimate, parse
from voxmem.evaluate.subset import estimated as estimate_of
from voxmem.evaluate.summary import Summary, summarize
from voxmem.judge import Judge, make_judge
from voxmem.judge import kept as verdicts
from voxmem.judge import runner as judging
from voxmem.judge.runner import Heard, Judged
from voxmem.judge.runner import is_settled as is_judged
from voxmem.memory import listener
from voxmem.memory import systems as memory_systems
from voxmem.records import AskedQuestion, Response, Verdict
from voxmem.store.blobs import spread

assert memory_systems.NAMES, listener.Listener  # importing them registers their systems

EMBEDDED = Job(systems=(*controls.CONTROLS, *controls.LEARNERS))
"""The systems that every release is evaluated with: they need no model."""


def judge_responses(
    run: Run, judge: Judge, limit_usd: float | None = None, heard: Heard | None = None
) -> Judged:
    """Judges a run's responses by one judge; returns what came of it."""
    return judging.judged(run, judge, limit_usd=limit_usd, heard=heard)


def judge_of(job: Job, judge: str) -> Judge:
    """The judge of that name, with the rubrics of a job's prompts.

    Raises:
        UsageError: There is none.
    """
    return make_judge(judge, job.loaded_prompts())


def evaluated(rows: ReleaseRows, job: Job) -> list[Summary] | None:
    """What came of every run, or ``None`` if something is left to run."""
    runs = job.runs(rows)
    wanted = {run.budget: job.questions(rows, run.budget) for run in runs}

    def one(run: Run) -> Summary | None:
        asked = wanted[run.budget]
        rows = settled(run, asked)
        return None if rows is None else summarize(run.name, rows, len(asked))

    found = []
    for summary in spread(rows.root.blobs, one, runs):  # in a bucket, many at a time
        if summary is None:
            return None
        found.append(summary)
    return found


def judged(rows: ReleaseRows, job: Job, judges: Sequence[str]) -> list[Judged] | None:
    """How far every judge has come with every run, or ``None`` if something is left to judge.

    Raises:
        InputError: A run has no responses.
    """
    found = []
    for run in job.runs(rows):
        if responses(run, job.questions(rows, run.budget)) is None:
            raise InputError(
                "has no responses to judge",
                item=run.name,
                stage="judge",
                remedy="run voxmem evaluate with the same --root and --release first, or name the "
                "budgets that were evaluated with --budget",
            )
        for name in judges:
            judge = judge_of(job, name)
            if not is_judged(run, judge):
                return None
            found.append(judging.standing(run, judge))
    return found


def attribute_errors(
    run: Run, judge: Judge, auditor: Auditor, limit_usd: float | None = None
) -> Attributed:
    """Audits the wrong responses of a run; returns what came of it."""
    return attribution.attribute(run, judge, auditor, limit_usd=limit_usd)


def attributed(
    rows: ReleaseRows, job: Job, judge: str, auditors: Sequence[str]
) -> list[Attributed] | None:
    """How far every auditor has come with the errors of every run, or ``None`` if something is
    left to audit.

    Raises:
        InputError: A run is not judged.
    """
    found, reader = [], judge_of(job, judge)
    for run in job.runs(rows):
        _judged_or_not(run, reader)
        for auditor in map(make_auditor, auditors):
            if attribution.waiting(run, reader, auditor):
                return None
            found.append(attribution.standing(run, reader, auditor))
    return found


def estimates(rows: ReleaseRows, job: Job, judge: str) -> dict[str, Estimate]:
    """What the judged runs that were asked a part of their items say of the whole. A run that is
    not evaluated and judged says nothing."""
    reader, found = judge_of(job, judge), {}
    for run in job.runs(rows):
        answered = responses(run, job.questions(rows, run.budget)) or []
        if not _is_part(run, job, answered):
            continue
        judged = verdicts.kept(run, reader, answered).values()
        part = estimated(run, job, answered, join(rows.asked, answered, judged))
        if part is not None:
            found[run.name] = part
    return found


def _whole(run: Run, job: Job) -> list[AskedQuestion]:
    """What a run's items are a part of: every question of the job's kinds that its budget has."""
    subset = parse(job.subset or ALL)
    at = {each.question_id for each in run.rows.histories if each.budget == run.budget}
    return [one for one in run.rows.asked.values() if one.question_id in at and subset.admits(one)]


def _is_part(run: Run, job: Job, answered: Sequence[Response]) -> bool:
    """Whether a run was asked a part that speaks of the whole; items that were named do not."""
    return bool(
        answered and len(answered) < len(_whole(run, job)) and not parse(job.subset or ALL).items
    )


def estimated(
    run: Run, job: Job, answered: Sequence[Response], scored: Sequence[Scored]
) -> Estimate | None:
    """What a run says of the whole if it was asked a part of its items: a subset that was drawn,
    or what a limit paid for. Failures count as wrong, as the paper has it; ``None`` as long as the
    judge has not seen every response: what it has seen is no sample.

    Args:
        answered: The run's responses, of the job's items.
        scored: Those with one judge's verdicts.
    """
    seen = [row for row in scored if row.verdict.status != "error"]
    if not _is_part(run, job, answered) or len(seen) < len(answered):
        return None
    right = {row.question.question_id: row.correct for row in seen if row.counts("paper")}
    return estimate_of(parse(job.subset or ALL), _whole(run, job), right)


def is_scored(rows: ReleaseRows, job: Job, judge: str) -> bool:
    """Whether every response is there and judged, so that nothing is left to compute."""
    return all(
        is_settled(run, job.questions(rows, run.budget)) and is_judged(run, judge_of(job, judge))
        for run in job.runs(rows)
    )


def scored(rows: ReleaseRows, job: Job, judge: str) -> list[Scored]:
    """The responses of a job's runs with one judge's verdicts. A run that stopped early has fewer.

    Raises:
        InputError: A run has no responses, or they are not judged.
    """
    return [row for run in job.runs(rows) for row in _scored(run, job, judge)]


def _scored(run: Run, job: Job, judge: str) -> list[Scored]:
    answered = responses(run, job.questions(run.rows, run.budget))
    return join(run.rows.asked, answered or (), _judged_or_not(run, judge_of(job, judge)))


def _judged_or_not(run: Run, judge: Judge) -> list[Verdict]:
    judged = verdicts.verdicts(run, judge) if responses(run) is not None else None
    if judged is None:
        raise InputError(
            f"is not evaluated and judged by {judge.name}",
            item=run.name,
            stage="analyze",
            remedy="run voxmem evaluate and voxmem judge with the same --root first",
        )
    return judged
