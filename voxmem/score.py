"""The evaluation road: run systems over a release, judge what they said, report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from voxmem.analyze.accuracy import Scored, join
from voxmem.errors import InputError
from voxmem.evaluate import controls
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run, is_settled, responses
from voxmem.evaluate.subset import ALL, Estimate, estimate, parse, tallies
from voxmem.evaluate.summary import Summary, summarize
from voxmem.judge import make_judge as create_judge
from voxmem.judge.runner import judge_run, part_of, verdicts
from voxmem.keys import short
from voxmem.memory import listener
from voxmem.memory import systems as memory_systems
from voxmem.records import Response
from voxmem.store import files

assert memory_systems.NAMES, listener.Listener  # importing them registers their systems

EMBEDDED = Job(systems=(*controls.CONTROLS, *controls.LEARNERS))
"""The systems that every release is evaluated with: they need no model."""


def judge_responses(run: Run, judge: str) -> dict[str, int]:
    """Judges a run's responses; returns how many had which status."""
    return dict(Counter(verdict.status for verdict in judge_run(run, create_judge(judge))))


def evaluated(rows: ReleaseRows, job: Job) -> list[Summary] | None:
    """What came of every run, or ``None`` if something is left to run."""
    found = []
    for run in job.runs(rows):
        wanted = job.questions(rows, run.budget)
        if not is_settled(run, wanted):
            return None
        found.append(summarize(run.name, responses(run, wanted) or (), len(wanted)))
    return found


def judged(rows: ReleaseRows, job: Job, judge: str) -> dict[str, dict[str, int]] | None:
    """The statuses of every run's verdicts, or ``None`` if something is left to judge.

    Raises:
        InputError: A run has no responses.
    """
    reader = create_judge(judge)
    found: dict[str, dict[str, int]] = {}
    for run in job.runs(rows):
        wanted = responses(run, job.questions(rows, run.budget))
        if wanted is None:
            raise InputError(
                "has no responses to judge",
                item=run.name,
                stage="judge",
                remedy="run voxmem evaluate with the same --root and --release first, or name the "
                "budgets that were evaluated with --budget",
            )
        kept = verdicts(run, reader)
        if kept is None:
            return None
        ids = {response.response_id for response in wanted}
        statuses = (verdict.status for verdict in kept if verdict.response_id in ids)
        found[run.name] = dict(Counter[str](statuses))
    return found


def estimates(rows: ReleaseRows, job: Job, judge: str) -> dict[str, Estimate]:
    """What the runs that were asked a part of their items say of the whole: a subset that was
    drawn, or what a limit paid for. Failures count as wrong, as the paper has it.

    Raises:
        InputError: A run is not evaluated and judged.
    """
    subset = parse(job.subset or ALL)
    admitted = [each for each in rows.asked.values() if subset.admits(each)]
    found: dict[str, Estimate] = {}
    for run in job.runs(rows):
        at = {each.question_id for each in rows.histories if each.budget == run.budget}
        whole = [each for each in admitted if each.question_id in at]
        joined = _scored(run, job, judge)
        right = {row.question.question_id: row.correct for row in joined if row.counts("paper")}
        if len(joined) < len(whole) and not subset.items:
            found[run.name] = estimate(tallies(whole, right))
    return found


def is_scored(rows: ReleaseRows, job: Job, judge: str) -> bool:
    """Whether every response is there and judged, so that nothing is left to compute."""
    reader = create_judge(judge)
    return all(
        is_settled(run, job.questions(rows, run.budget)) and verdicts(run, reader) is not None
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
    judged = verdicts(run, create_judge(judge))
    if answered is None or judged is None:
        raise InputError(
            "is not evaluated and judged",
            item=run.name,
            stage="analyze",
            remedy="run voxmem evaluate and voxmem judge with the same --root first",
        )
    return join(run.rows.asked, [_labelled(row) for row in answered], judged)


def _labelled(row: Response) -> Response:
    """Under the system's name and that of its arm, unless that is the protocol itself."""
    if row.arm == "audio":
        return row
    return row.model_copy(update={"system": f"{row.system} ({row.arm})"})


def write_report(rows: ReleaseRows, job: Job, judge: str, out: Path) -> Path:
    """Writes the report unless the same one is there. Returns its first page."""
    from voxmem.analyze.report import write_report as write

    stamp = out / ".report-key"
    wanted = report_key(rows, job, judge).encode()
    page = out / "index.html"
    if files.is_file(page) and files.read_or_none(stamp) == wanted:
        return page
    with files.os_errors("write", out):
        stamp.unlink(missing_ok=True)
    written = write(rows, scored(rows, job, judge), out, judge=judge)
    files.write_whole(out, stamp, wanted, durable=False)
    return written


def report_key(rows: ReleaseRows, job: Job, judge: str) -> str:
    """Names the content of a report: the release and the verdicts that it shows."""
    reader = create_judge(judge)
    shown = [[part_of(run, reader), job.questions(rows, run.budget)] for run in job.runs(rows)]
    return short("report 3", rows.release.release_id, shown)
