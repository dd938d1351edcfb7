"""The stages that every model goes through, asked alike: is it done, and what decides it?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voxmem import score
from voxmem.analyze.attribution import runner as attribution
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.errors import UsageError
from voxmem.evaluate.ready import check_known
from voxmem.evaluate.run import TABLE, is_settled
from voxmem.judge import kept as verdicts
from voxmem.judge.runner import is_settled as is_judged
from voxmem.keys import short
from voxmem.models.entry import Pool
from voxmem.reevaluation import costs
from voxmem.reevaluation.costs import Cost
from voxmem.reevaluation.goal import Goal
from voxmem.reevaluation.records import Kind
from voxmem.reevaluation.work import Work


@dataclass(frozen=True)
class Stage:
    """One stage of one piece of work."""

    kind: Kind
    pool: Pool
    is_done: Callable[[], bool]
    fingerprint: Callable[[], str]
    """Key of everything that decides what it does: other inputs begin at attempt 1."""
    cost: Callable[[], Cost]
    excluded: Callable[[], str] = lambda: ""
    """Why it is never started; "": it may be."""


def stages(work: Work, goal: Goal) -> tuple[Stage, ...]:
    """Evaluate, judge and attribute, in this order; each rests on the one before."""
    traced = (_attribute(work, goal),) if goal.auditors else ()
    return (_evaluate(work), _judge(work, goal), *traced)


def has_answers(work: Work) -> bool:
    """Whether every run has left something that can be judged, whole or not."""
    return all(run.rows.root.tables.has(TABLE, run.part) for run in work.runs)


def _evaluate(work: Work) -> Stage:
    return Stage(
        "evaluate",
        work.pool,
        is_done=lambda: all(is_settled(run, work.questions(run)) for run in work.runs),
        fingerprint=lambda: short(work.key, [work.questions(run) for run in work.runs], digits=20),
        cost=lambda: costs.of_evaluating(work),
        excluded=lambda: _refusal(work),
    )


def _judge(work: Work, goal: Goal) -> Stage:
    judges = [score.judge_of(work.job, name) for name in goal.judges]
    return Stage(
        "judge",
        "cpu",
        is_done=lambda: all(is_judged(run, judge) for run in work.runs for judge in judges),
        fingerprint=lambda: short(
            work.key,
            [(judge.name, judge.version) for judge in judges],
            [_content(work, TABLE, run.part) for run in work.runs],
            digits=20,
        ),
        cost=lambda: costs.of_judging(work, goal.judges),
    )


def _attribute(work: Work, goal: Goal) -> Stage:
    leading = score.judge_of(work.job, goal.judges[0])
    auditors = [make_auditor(name) for name in goal.auditors]
    return Stage(
        "attribute",
        "cpu",
        is_done=lambda: (
            not any(
                attribution.waiting(run, leading, auditor)
                for run in work.runs
                for auditor in auditors
            )
        ),
        fingerprint=lambda: short(
            work.key,
            [auditor.identity for auditor in auditors],
            [_content(work, verdicts.TABLE, verdicts.part_of(run, leading)) for run in work.runs],
            digits=20,
        ),
        cost=lambda: costs.of_attributing(work, goal.judges[0], goal.auditors),
        excluded=lambda: _no_annotations(work, goal),
    )


def _content(work: Work, table: str, part: str) -> str | None:
    return work.runs[0].rows.root.tables.fingerprint(table, part)


def _refusal(work: Work) -> str:
    """What an earlier preflight says against it."""
    if work.job.preflight != "refuse":
        return ""
    try:
        for run in work.runs:
            check_known(run, [run.budget])
    except UsageError as error:
        return error.message
    return ""


def _no_annotations(work: Work, goal: Goal) -> str:
    if work.runs[0].rows.is_imported and "rule" in goal.auditors:
        return "this release was imported: it carries no annotations for the auditor rule"
    return ""
