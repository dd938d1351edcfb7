"""Looks at the store and says what is next. It starts nothing, and waits for nothing."""

from __future__ import annotations

from voxmem.evaluate.items import ReleaseRows
from voxmem.reevaluation.attempts import (
    Attempts,
    Begun,
    StateOf,
    next_number,
    over,
    tried,
    under_way,
)
from voxmem.reevaluation.budget import within
from voxmem.reevaluation.goal import Goal
from voxmem.reevaluation.records import TO_DO, Plan, Standing, Step
from voxmem.reevaluation.report import standing_of_report
from voxmem.reevaluation.stages import Stage, has_answers, stages
from voxmem.reevaluation.work import Work, all_work


def plan(rows: ReleaseRows, goal: Goal, *, night: str, state_of: StateOf) -> Plan:
    """Where everything that is wanted stands, and the steps to start now.

    Args:
        night: The day on which the night of this look began, ``YYYY-MM-DD``: all that is started
            under one day shares its limit.
        state_of: Whether a flow run that was started before has ended.

    Raises:
        UsageError: The goal names what there is not.
        InputError: The catalogue cannot be read.
    """
    goal.check(rows)
    attempts = Attempts(rows.root, rows.release.release_id)
    found = [
        _standing(each, goal, attempts.of(each.key), night, state_of)
        if isinstance(each, Work)
        else Standing(name=each[0], state="excluded", why=each[1])
        for each in all_work(rows, goal)
    ]
    reserved = attempts.reserved(night)
    decided = within(found, goal.limit_usd, reserved)
    report = standing_of_report(rows, goal, decided, attempts, night=night, state_of=state_of)
    return Plan(
        release=rows.release.release_id,
        night=night,
        limit_usd=goal.limit_usd,
        spent=sum(reserved.values()),
        standings=(*decided, report),
    )


def _standing(work: Work, goal: Goal, begun: Begun, night: str, state_of: StateOf) -> Standing:
    given_up: Standing | None = None
    for stage in stages(work, goal):
        if stage.is_done():
            continue
        found = _next(work, stage, goal, begun, night, state_of)
        if (stage.kind, found.state) != ("evaluate", "over the attempts") or not has_answers(work):
            return found
        given_up = found  # what was answered is judged all the same
    return given_up or Standing(name=work.name, state="settled")


def _next(
    work: Work,
    stage: Stage,
    goal: Goal,
    begun: Begun,
    night: str,
    state_of: StateOf,
) -> Standing:
    attempts = begun.attempts
    waiting = under_way(attempts, state_of)
    if waiting:
        return Standing(name=work.name, state="waiting", why=waiting)
    refusal = stage.excluded()
    if refusal:
        return Standing(name=work.name, state="excluded", why=refusal)
    fingerprint = stage.fingerprint()
    number = next_number(attempts, stage.kind, fingerprint)
    if number > goal.most_attempts:
        return Standing(name=work.name, state="over the attempts", why=over(stage.kind, number))
    again = tried(attempts, stage.kind, fingerprint, night)
    if again:
        return Standing(name=work.name, state="tried tonight", why=again)
    cost = stage.cost()
    return Standing(
        name=work.name,
        state=TO_DO[stage.kind],
        why=f"attempt {number}" if number > 1 else "",
        step=Step(
            kind=stage.kind,
            work=work.key,
            fingerprint=fingerprint,
            attempt=number,
            series=begun.series,
            name=work.name,
            systems=work.job.systems,
            budgets=tuple(dict.fromkeys(run.budget for run in work.runs)),
            arms=work.job.arms,
            pool=stage.pool,
            is_control=work.is_control,
            quoted=cost.quoted,
            most=cost.most,
        ),
    )
