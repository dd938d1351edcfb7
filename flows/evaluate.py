"""Systems under test, over every item of a release."""

from __future__ import annotations

from prefect import flow

from flows.params import EvaluateParams
from tasks import evaluate as stage
from voxmem.score import budgets


@flow(name="evaluate", flow_run_name="evaluate-{params.release}")
def evaluate(params: EvaluateParams) -> dict[str, dict[str, int]]:
    """Runs every system at every budget. Returns the outcomes of each run."""
    rows = stage.release_rows(params.root, params.release)
    return {
        f"{system} {budget}": stage.evaluate(params.root, rows.release.release_id, system, budget)
        for system in params.systems
        for budget in params.budgets or budgets(rows)
    }
