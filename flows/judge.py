"""Verdicts on what the systems said."""

from __future__ import annotations

from prefect import flow

from flows.params import JudgeParams
from tasks import evaluate as stage
from voxmem.progress import report


@flow(name="judge", flow_run_name="judge-{params.release}-by-{params.judge}")
def judge(params: JudgeParams) -> dict[str, dict[str, int]]:
    """Judges the responses of every run. Returns the statuses of each."""
    rows = stage.release_rows(params.root, params.release)
    job, release = params.job, rows.release.release_id
    runs = job.runs(rows)
    statuses: dict[str, dict[str, int]] = {}
    for done, run in enumerate(runs, start=1):
        at = run.system.name, run.budget, run.arm_name
        statuses[run.name] = stage.judge(params.root, release, job, *at, params.judge)
        report("judge", done, len(runs))
    return statuses
