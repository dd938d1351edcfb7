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


def runs(
    rows: ReleaseRows, systems: Sequence[str], wanted: Sequence[str] | None = None
) -> list[Run]:
    """One run per system and budget, of all budgets or of those wanted."""
    return [
        Run(rows, create_system(name), budget)
        for name in systems
        for budget in wanted or budgets(rows)
    ]


def evaluated(
    rows: ReleaseRows, systems: Sequence[str], wanted: Sequence[str] | None = None
) -> dict[str, dict[str, int]] | None:
    """The outcomes of every run, or ``None`` if something is left to run."""
    found: dict[str, dict[str, int]] = {}
    for run in runs(rows, systems, wanted):
        answered = responses(run)
        if answered is None or any(response.outcome == "error" for response in answered):
            return None
        found[label(run)] = dict(Counter[str](response.outcome for response in answered))
    return found


def judged(
    rows: ReleaseRows, systems: Sequence[str], judge: str
) -> dict[str, dict[str, int]] | None:
    """The statuses of every run's verdicts, or ``None`` if something is left to judge.

    Raises:
        InputError: A run has no responses.
    """
    reader = create_judge(judge)
    found: dict[str, dict[str, int]] = {}
    for run in runs(rows, systems):
        if responses(run) is None:
            raise InputError(
                "has no responses to judge",
                item=label(run),
                stage="judge",
                remedy="run voxmem evaluate with the same --root and --release first",
            )
        kept = verdicts(run, reader)
        if kept is None:
            return None
        found[label(run)] = dict(Counter[str](verdict.status for verdict in kept))
    return found


def label(run: Run) -> str:
    """How a run is called in results."""
    return f"{run.system.name} {run.budget}"


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
                remedy="run voxmem evaluate and voxmem judge with the same --root first",
            )
        joined += join(rows.asked, answered, judged)
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
        "report 2", rows.release.release_id, [part_of(run, reader) for run in runs(rows, systems)]
    )
