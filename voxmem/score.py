"""The evaluation road: run systems over a release, judge what they said, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from voxmem.analyze.accuracy import Scored, join
from voxmem.errors import InputError
from voxmem.evaluate import controls
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.runner import Run, evaluate, responses
from voxmem.judge import make_judge as create_judge
from voxmem.judge.runner import judge_run, part_of, verdicts
from voxmem.keys import short
from voxmem.models.registry import create as create_system
from voxmem.store import files

EMBEDDED_SYSTEMS: tuple[str, ...] = controls.CONTROLS
"""The systems that every release is evaluated with: they need no model."""


def budgets(rows: ReleaseRows) -> list[str]:
    """The reference budgets of a release, shortest first."""
    return list(dict.fromkeys(history.budget for history in rows.histories))


def evaluate_system(rows: ReleaseRows, system: str, budget: str) -> dict[str, int]:
    """Runs a system at one budget; returns how many responses had which outcome."""
    answered = evaluate(Run(rows, create_system(system), budget))
    return dict(Counter(response.outcome for response in answered))


def judge_system(rows: ReleaseRows, system: str, budget: str, judge: str) -> dict[str, int]:
    """Judges a system's responses at one budget; returns how many had which status."""
    run = Run(rows, create_system(system), budget)
    return dict(Counter(verdict.status for verdict in judge_run(run, create_judge(judge))))


def runs(rows: ReleaseRows, systems: Sequence[str]) -> list[Run]:
    """One run per system and budget."""
    return [Run(rows, create_system(name), budget) for name in systems for budget in budgets(rows)]


def is_scored(rows: ReleaseRows, systems: Sequence[str], judge: str) -> bool:
    """Whether every response is there and judged, so that nothing is left to compute."""
    reader = create_judge(judge)
    return all(
        responses(run) is not None and verdicts(run, reader) is not None
        for run in runs(rows, systems)
    )


def scored(rows: ReleaseRows, systems: Sequence[str], judge: str) -> list[Scored]:
    """Responses of the systems with one judge's verdicts.

    Raises:
        InputError: A run is not finished.
    """
    joined = []
    for run in runs(rows, systems):
        answered, judged = responses(run), verdicts(run, create_judge(judge))
        if answered is None or judged is None:
            raise InputError(
                "is not fully evaluated and judged",
                item=f"{run.system.name} at {run.budget}",
                stage="analyze",
                remedy="run voxmem evaluate and voxmem judge first",
            )
        joined += join(rows.questions, answered, judged)
    return joined


def write_report(rows: ReleaseRows, systems: Sequence[str], judge: str, out: Path) -> Path:
    """Writes the report unless the same one is there. Returns its first page."""
    from voxmem.analyze.report import write_report as write

    stamp = out / ".report-key"
    wanted = report_key(rows, systems, judge).encode()
    page = out / "index.html"
    if files.is_file(page) and files.read_or_none(stamp) == wanted:
        return page
    with files.os_errors("write", out):
        stamp.unlink(missing_ok=True)
    written = write(rows, scored(rows, systems, judge), out, judge=judge)
    files.write_whole(out, stamp, wanted, durable=False)
    return written


def report_key(rows: ReleaseRows, systems: Sequence[str], judge: str) -> str:
    """Names the content of a report: the release and the verdicts that it shows."""
    reader = create_judge(judge)
    return short(
        "report 1", rows.release.release_id, [part_of(run, reader) for run in runs(rows, systems)]
    )
