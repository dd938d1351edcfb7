"""Judges the responses of one run: one verdict row per response and judge."""

from __future__ import annotations

from voxmem.errors import InputError
from voxmem.evaluate.runner import Run, responses
from voxmem.judge import Judge
from voxmem.keys import short
from voxmem.records import Verdict


def part_of(run: Run, judge: Judge) -> str:
    """The part that a judge's verdicts of a run are kept in: one judge never overwrites another."""
    return short("verdicts", run.part, judge.name, judge.version, digits=20)


def verdicts(run: Run, judge: Judge) -> list[Verdict] | None:
    """The verdicts that are kept, or ``None`` if some response still waits for one."""
    tables = run.rows.root.tables
    part = part_of(run, judge)
    if not tables.has("verdicts", part):
        return None
    rows = tables.read("verdicts", Verdict, [part])
    answered = {row.response_id for row in responses(run) or []}
    settled = {row.response_id for row in rows if row.status not in ("unparsed", "error")}
    return rows if answered and answered <= settled else None


def judge_run(run: Run, judge: Judge) -> list[Verdict]:
    """Judges every response of a run that has no verdict yet.

    Raises:
        InputError: The run is not finished.
    """
    kept = verdicts(run, judge)
    if kept is not None:
        return kept
    answered = responses(run)
    if answered is None:
        raise InputError(
            "has no complete responses to judge",
            item=f"{run.system.name} at {run.budget}",
            stage="judge",
            remedy="evaluate it first",
        )
    rows = [judge.judge(run.rows.questions[row.question_id], row) for row in answered]
    run.rows.root.tables.write("verdicts", part_of(run, judge), rows, Verdict)
    return rows
