"""Systems under test, over the items of a release: one run per system, budget and arm."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from prefect.deployments import run_deployment
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.boards import CostBoard, RunBoard
from flows.job import job
from flows.params import EvaluateParams
from tasks import evaluate as stage
from voxmem.errors import EngineError
from voxmem.evaluate.run import Run, is_settled
from voxmem.evaluate.summary import Summary
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import Control
from voxmem.progress import report

_TOGETHER = 2
"""Shards that are asked at a time, so that none waits for the last item of another."""


@job("evaluate", "evaluate-{params.release}")
def evaluate(params: EvaluateParams) -> list[dict[str, Any]]:
    """Runs every system at every budget in every arm. Returns what came of each run."""
    runs = params.job.runs(stage.release_rows(params.root, params.release))
    # Under a limit, each run may spend what those before it have left: one after the other.
    together = len(runs) if params.on_pools and params.limit_usd is None else 1
    left = params.limit_usd
    found: list[Summary] = []
    release = params.release
    with CostBoard("evaluate", release) as costs, ThreadPoolExecutor(max(together, 1)) as waiting:
        # Each thread in a copy of this context, so that the runs are children of this one.
        if together > 1:
            ended = [waiting.submit(copy_context().run, _one, params, run, None) for run in runs]
            summaries: Iterator[Summary] = (future.result() for future in ended)
        else:
            summaries = (_one(params, run, left) for run in runs)
        for done, (run, summary) in enumerate(zip(runs, summaries, strict=True), start=1):
            found.append(summary)
            costs.add(run, summary)
            if left is not None:
                left = max(left - summary.new_dollars, 1e-9)
            report("evaluate", done, len(runs))
    return [summary.model_dump(mode="json") for summary in found]


def _one(params: EvaluateParams, run: Run, limit: float | None) -> Summary:
    """A control, or what has nothing left to do, at once; a candidate as a run of its own."""
    wanted = params.job.questions(run.rows, run.budget)
    if isinstance(run.system, Control) or is_settled(run, wanted):
        at = run.system.name, run.budget, run.arm_name
        return stage.decide(params.root, run.rows.release.release_id, params.job, *at)
    one = _narrowed(params, run, limit)
    return _elsewhere(one, run) if params.on_pools else evaluate_run(one)


@job("evaluate-run", "{params.systems[0]}-{params.budgets[0]}-{params.arms[0]}")
def evaluate_run(params: EvaluateParams) -> Summary:
    """Runs one candidate at one budget in one arm, a shard after the other. Its progress, costs
    and failures are on the run's page."""
    rows = stage.release_rows(params.root, params.release)
    [run] = params.job.runs(rows)
    with (
        RunBoard(run.name) as board,
        stage.opened(run, params.job, params.limit_usd, board.heard) as sharded,
        ThreadPoolTaskRunner[int](max_workers=_TOGETHER) as runner,
    ):
        futures: list[PrefectFuture[int]] = [
            runner.submit(stage.answer, {"part": run.part, "first": first, "last": last})
            for first, last in sharded.shards
        ]
        for future in as_completed(futures):
            future.result()
            board.show(sharded.summary())
        return sharded.record()


def _narrowed(params: EvaluateParams, run: Run, limit: float | None) -> EvaluateParams:
    return params.model_copy(
        update={
            "release": run.rows.release.release_id,
            "systems": [run.system.name],
            "budgets": [run.budget],
            "arms": [run.arm_name],
            "limit_usd": limit,
            "on_pools": False,
        }
    )


def _elsewhere(params: EvaluateParams, run: Run) -> Summary:
    """The run on the work pool where its model belongs; waits for it.

    Raises:
        EngineError: It did not complete. What was answered is kept.
    """
    entry = entry_of(run.system.name)
    here = entry is not None and entry.backend in ("transformers", "worker")
    ended: Any = run_deployment(
        f"evaluate-run/{'gpu' if here else 'cpu'}",
        parameters={"params": params.model_dump(mode="json")},
    )
    if ended.state is None or not ended.state.is_completed():
        raise EngineError(
            f"ended as {ended.state.name if ended.state else 'unknown'}",
            item=f"flow run {ended.name}",
            stage="evaluate",
            remedy="see its logs in the dashboard; run it again, what is answered is kept",
        )
    at = run.system.name, run.budget, run.arm_name
    return stage.recorded(params.root, params.release, params.job, *at)
