"""What a step may cost: dollars that are expected, and at most, as ``voxmem quote`` has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from voxmem import score
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.analyze.attribution.model import ModelAuditor
from voxmem.analyze.attribution.runner import waiting
from voxmem.errors import UsageError
from voxmem.evaluate.quote import quote
from voxmem.evaluate.quote.cost import runs_here
from voxmem.evaluate.quote.most import most_dollars
from voxmem.evaluate.quote.records import together
from voxmem.evaluate.run import Run, responses
from voxmem.evaluate.runner import items_of
from voxmem.judge import Judge
from voxmem.judge.kept import is_open, kept
from voxmem.judge.model import ModelJudge
from voxmem.judge.panel import Panel
from voxmem.models.catalogue import catalogue, entry_of
from voxmem.models.told import Told
from voxmem.reevaluation.work import Work


class Cost(NamedTuple):
    """Dollars of one step; ``None``: not known."""

    quoted: float | None = 0.0
    most: float | None = 0.0


def of_evaluating(work: Work) -> Cost:
    """Of the answers that are left to ask for."""
    entry = catalogue().get(work.job.systems[0])
    if work.is_control or (entry is not None and entry.price is None and runs_here(entry)):
        return Cost()  # counting what it is sent would take minutes, and come to nothing
    quotes = [quote(run, items_of(run, work.questions(run))).run for run in work.runs]
    return Cost(
        together(each.dollars for each in quotes), together(each.dollars_most for each in quotes)
    )


def of_judging(work: Work, judges: Sequence[str]) -> Cost:
    """Of the verdicts that are left to have, each reply taken at its longest."""
    named = [score.judge_of(work.job, name) for name in judges]
    most = together(_judging(run, judge) for run in work.runs for judge in named)
    return Cost(most, most)


def of_attributing(work: Work, judge: str, auditors: Sequence[str]) -> Cost:
    """Of the records that are left to have, likewise."""
    reader = score.judge_of(work.job, judge)
    most = together(_attributing(run, reader, name) for run in work.runs for name in auditors)
    return Cost(most, most)


def _judging(run: Run, judge: Judge) -> float | None:
    if isinstance(judge, Panel):
        return together(_judging(run, member) for member in judge.members)
    if not isinstance(judge, ModelJudge):
        return 0.0
    answered = responses(run) or []
    before = kept(run, judge, answered)
    calls: dict[str, Told] = {}
    for one in answered:
        question = run.rows.asked[one.question_id]
        if is_open(before.get(one.response_id)) and judge.settle(question, one) is None:
            calls.setdefault(judge.key(question, one), judge.told(question, one))
    return _most(judge.candidate.name, calls.values())


def _attributing(run: Run, judge: Judge, name: str) -> float | None:
    auditor = make_auditor(name)
    if not isinstance(auditor, ModelAuditor):
        return 0.0
    left = waiting(run, judge, auditor)
    if not left:
        return 0.0
    questions = [row.question.question_id for row in left]
    items = {item.item_id: item for item in items_of(run, questions)}
    told = (auditor.told(items[row.response.item_id], row.response) for row in left)
    return _most(auditor.candidate.name, told)


def _most(model: str, told: Iterable[Told]) -> float | None:
    entry = entry_of(model)
    try:
        return sum(most_dollars(entry, each, stage="reevaluate") for each in told)
    except UsageError:
        return None  # no price is known
