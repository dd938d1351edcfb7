"""Verdicts on what the systems said."""

from __future__ import annotations

from flows.boards import CostBoard
from flows.job import job
from flows.params import JudgeParams
from flows.tally import by_system
from tasks import evaluate as stage
from voxmem.judge.runner import Judged
from voxmem.progress import report


@job("judge", "judge-{params.release}")
def judge(params: JudgeParams) -> list[Judged]:
    """Has every judge judge the responses of every run, within the limit in dollars."""
    rows = stage.release_rows(params.root, params.release)
    wanted, release = params.job, rows.release.release_id
    left = params.limit_usd
    work = [(run, name) for run in wanted.runs(rows) for name in params.judges]
    each = by_system(judge, params, len(work))
    if each is not None:
        return each
    found: list[Judged] = []
    with CostBoard("judge", release) as costs:
        for done, (run, name) in enumerate(work, start=1):
            at = run.system.name, run.budget, run.arm_name
            found.append(stage.judge(params.root, release, wanted, *at, name, left))
            left = None if left is None else max(left - found[-1].new_dollars, 0.0)
            costs.add(run, found[-1])
            report("judge", done, len(work))
    return found
