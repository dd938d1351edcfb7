"""Systems under test, over every item of a release."""

from __future__ import annotations

from prefect import flow

from flows.params import EvaluateParams
from tasks import evaluate as stage
from voxmem.progress import report
from voxmem.score import budgets


@flow(name="evaluate", flow_run_name="evaluate-{params.release}")
def evaluate(params: EvaluateParams) -> dict[str, dict[str, int]]:
    """Runs every system at every budget. Returns the outcomes of each run."""
    rows = stage.release_rows(params.root, params.release)
    release = rows.release.release_id
    wanted = [(name, at) for name in params.systems for at in params.budgets or budgets(rows)]
    outcomes: dict[str, dict[str, int]] = {}
    for done, (system, budget) in enumerate(wanted, start=1):
        outcomes[f"{system} {budget}"] = stage.evaluate(params.root, release, system, budget)
        report("evaluate", done, len(wanted))
    return outcomes
