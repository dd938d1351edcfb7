"""Verdicts on what the systems said."""

from __future__ import annotations

from prefect import flow

from flows.params import JudgeParams
from tasks import evaluate as stage
from voxmem.score import budgets


@flow(name="judge", flow_run_name="judge-{params.release}-by-{params.judge}")
def judge(params: JudgeParams) -> dict[str, dict[str, int]]:
    """Judges the responses of every system at every budget. Returns the statuses of each run."""
    rows = stage.release_rows(params.root, params.release)
    return {
        f"{system} {budget}": stage.judge(
            params.root, rows.release.release_id, system, budget, params.judge
        )
        for system in params.systems
        for budget in params.budgets or budgets(rows)
    }
