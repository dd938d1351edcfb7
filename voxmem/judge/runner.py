"""Judges the responses of one run: one verdict row per response and judge."""

from __future__ import annotations

from voxmem.errors import InputError
from voxmem.evaluate.run import Run, responses
from voxmem.judge import Judge
from voxmem.keys import short
from voxmem.records import Response, Verdict


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
    by_response = {row.response_id: row for row in rows}
    waiting = (
        response
        for response in responses(run) or ()
        if not _is_settled(response, by_response.get(response.response_id))
    )
    return rows if next(waiting, None) is None else None


def _is_settled(response: Response, verdict: Verdict | None) -> bool:
    """Whether a response needs no further look. One that failed is settled without a judge, until
    another try succeeds."""
    if verdict is None or verdict.status in ("unparsed", "error"):
        return False
    return verdict.status != "not_judged" or response.outcome not in ("ok", "truncated")


def judge_run(run: Run, judge: Judge) -> list[Verdict]:
    """Judges the responses of a run, unless each has its verdict.

    Raises:
        InputError: The run is not finished.
    """
    answered = responses(run)
    if answered is None:
        raise InputError(
            "has no responses to judge",
            item=run.name,
            stage="judge",
            remedy="evaluate it first",
        )
    kept = verdicts(run, judge)
    if kept is not None:
        return kept
    rows = [judge.judge(run.rows.asked[row.question_id], row) for row in answered]
    run.rows.root.tables.write("verdicts", part_of(run, judge), rows, Verdict)
    return rows
