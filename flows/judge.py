"""Verdicts on what the systems said."""

from __future__ import annotations

from prefect import flow

from flows.params import JudgeParams
from tasks import evaluate as stage
from voxmem.progress import report
from voxmem.score import budgets


@flow(name="judge", flow_run_name="judge-{params.release}-by-{params.judge}")
def judge(params: JudgeParams) -> dict[str, dict[str, int]]:
    """Judges the responses of every system at every budget. Returns the statuses of each run."""
    rows = stage.release_rows(params.root, params.release)
    release = rows.release.release_id
    wanted = [(name, at) for name in params.systems for at in params.budgets or budgets(rows)]
    statuses: dict[str, dict[str, int]] = {}
    for done, (system, budget) in enumerate(wanted, start=1):
        statuses[f"{system} {budget}"] = stage.judge(
            params.root, release, system, budget, params.judge
        )
        report("judge", done, len(wanted))
    return statuses
