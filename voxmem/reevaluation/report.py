"""When a report is due: seldom, and never twice over the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem import reporting, score
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.judge.kept import TABLE, part_of
from voxmem.reevaluation.attempts import Attempts, StateOf, next_number, over, tried, under_way
from voxmem.reevaluation.goal import Goal
from voxmem.reevaluation.records import Standing, Step
from voxmem.reporting.history import history

NAME = "report"


def standing_of_report(
    rows: ReleaseRows,
    goal: Goal,
    standings: Sequence[Standing],
    attempts: Attempts,
    *,
    night: str,
    state_of: StateOf,
) -> Standing:
    """Where the report stands.

    One is written once nothing is to be started and nothing is under way; while runs are under
    way, once a night, so that a run of days holds nobody up. It shows every system that has left
    responses.
    """
    job = reported(rows, goal)
    if not _is_judged(rows, job, goal):
        return Standing(name=NAME, state="waiting", why=f"{goal.judges[0]} has judged nothing yet")
    key = reporting.content_key(rows, job, wanted(goal))
    kept = history(rows)
    if kept and kept[-1].key == key:
        return Standing(name=NAME, state="settled")
    before = attempts.of(NAME).attempts
    waiting = under_way(before, state_of)
    if waiting:
        return Standing(name=NAME, state="waiting", why=waiting)
    starting = any(one.step is not None for one in standings)
    busy = any(one.state == "waiting" for one in standings)
    if starting or (busy and any(one.night == night for one in before)):
        return Standing(name=NAME, state="waiting", why="for what is under way")
    number = next_number(before, "report", key)
    if number > goal.most_attempts:
        return Standing(name=NAME, state="over the attempts", why=over("report", number))
    again = tried(before, "report", key, night)
    if again:
        return Standing(name=NAME, state="tried tonight", why=again)
    return Standing(name=NAME, state="to report", step=_step(job, key, number))


def reported(rows: ReleaseRows, goal: Goal) -> Job:
    """What the report is of: everything that has left responses under these arms, and of the
    systems over models those that are wanted."""
    named = goal.job(*goal.systems, *goal.wanted_models(), "abstain")
    found = reporting.everything(rows, named, systems=True, arms=False)
    over_models = [name for name in goal.wanted_models() if "@" in name]
    there = [
        run.system.name
        for run in (goal.job(*over_models).runs(rows) if over_models else ())
        if rows.root.tables.has("responses", run.part)
    ]
    return found.model_copy(
        update={"systems": tuple(dict.fromkeys((*found.systems, *there))), "arms": goal.arms}
    )


def wanted(goal: Goal) -> reporting.Wanted:
    """Whose reading is reported."""
    return reporting.Wanted(judges=goal.judges)


def _is_judged(rows: ReleaseRows, job: Job, goal: Goal) -> bool:
    leading = score.judge_of(job, goal.judges[0])
    return any(rows.root.tables.has(TABLE, part_of(run, leading)) for run in job.runs(rows))


def _step(job: Job, key: str, number: int) -> Step:
    return Step(
        kind="report",
        work=NAME,
        fingerprint=key,
        attempt=number,
        name=NAME,
        systems=job.systems,
        budgets=job.budgets or (),
        arms=job.arms,
        pool="cpu",
    )
