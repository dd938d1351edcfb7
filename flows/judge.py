"""Verdicts on what the systems said."""

from __future__ import annotations

from flows.job import job
from flows.params import JudgeParams
from tasks import evaluate as stage
from voxmem.judge.runner import Judged
from voxmem.progress import report


@job("judge", "judge-{params.release}")
def judge(params: JudgeParams) -> list[Judged]:
    """Has every judge judge the responses of every run, within the limit in dollars."""
    rows = stage.release_rows(params.root, params.release)
    job, release = params.job, rows.release.release_id
    left = params.limit_usd
    work = [(run, name) for run in job.runs(rows) for name in params.judges]
    found: list[Judged] = []
    for done, (run, name) in enumerate(work, start=1):
        at = run.system.name, run.budget, run.arm_name
        found.append(stage.judge(params.root, release, job, *at, name, left))
        left = None if left is None else max(left - found[-1].new_dollars, 0.0)
        report("judge", done, len(work))
    return found
