"""What a re-evaluation found and started: a table, a row a model, and the way to the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prefect.artifacts import create_table_artifact

from flows.boards.report import link_report
from flows.boards.showing import artifact_key, harmless
from flows.params import ReevaluateParams
from voxmem.evaluate.items import open_release
from voxmem.reevaluation import Plan, Standing
from voxmem.reporting.history import history
from voxmem.reporting.publish import PAGE, below


def show_plan(plan: Plan, standings: Sequence[Standing], params: ReevaluateParams) -> None:
    """Shows where everything stands.

    Args:
        standings: Those of the plan, as they are after its steps were started.
    """
    started = "would be started" if params.dry_run else "were started"
    said = (
        f"{plan.release}, night of {plan.night}: {len(plan.steps)} steps {started}, at most "
        f"{_dollars(plan.most)}; {_dollars(plan.spent)} of "
        f"{'no limit' if plan.limit_usd is None else _dollars(plan.limit_usd)} before"
    )
    rows = [_row(one) for one in standings]
    with harmless("plan"):
        create_table_artifact(
            rows, key=artifact_key("reevaluate", plan.release, "plan"), description=said
        )
    rows_of_release = open_release(params.root, plan.release)
    if history(rows_of_release):
        folder = (params.out or below(rows_of_release.root.uri)).rstrip("/")
        link_report(f"{folder}/{PAGE}", plan.release)


def _row(standing: Standing) -> dict[str, Any]:
    step = standing.step
    return {
        "run": standing.name,
        "state": standing.state,
        "step": step.kind if step else "",
        "attempt": step.attempt if step else "",
        "quoted": _dollars(step.quoted) if step else "",
        "at most": _dollars(step.most) if step else "",
        "why": standing.why,
    }


def _dollars(amount: float | None) -> str:
    return "unknown" if amount is None else f"${amount:.2f}"
