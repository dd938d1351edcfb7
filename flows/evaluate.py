"""Systems under test, over the items of a release: one run per system, budget and arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from typing import Any

from prefect.futures import PrefectFuture, as_completed
from prefect.runtime import deployment
from prefect.task_runners import ThreadPoolTaskRunner

from flows.boards import CostBoard, RunBoard
from flows.children import completed
from flows.job import job
from flows.params import EvaluateParams
from flows.tally import asking, in_turn, split
from tasks import evaluate as stage
from voxmem.errors import UsageError
from voxmem.evaluate.asking import alone
from voxmem.evaluate.run import Run
from voxmem.evaluate.sharded import ShardedRun
from voxmem.evaluate.summary import Summary
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import Candidate, Control
from voxmem.progress import report
from voxmem.turns import PATIENCE

_TOGETHER = 2
"""Shards that are asked at a time, so that none waits for the last item of another."""


@job("evaluate", "evaluate-{params.label}")
def evaluate(params: EvaluateParams) -> list[dict[str, Any]]:
    """Runs every system at every budget in every arm. Returns what came of each run."""
    rows = stage.release_rows(params.root, params.release)
    runs = params.job.runs(rows)
    whole = split("evaluate", params, runs, asking(params))
    if whole.parts:
        return in_turn(evaluate, whole.parts)
    # Under a limit, each run may spend what those before it have left: one after the other.
    together = len(runs) if params.on_pools and params.limit_usd is None else 1
    left = params.limit_usd
    found: list[Summary] = []
    release = rows.release.release_id
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
    """What has nothing left to do, and a control, at once; a candidate as a run of its own."""
    done = stage.finished(run, params.job)
    if done is not None:
        return done
    if isinstance(run.system, Control):
        at = run.system.name, run.budget, run.arm_name
        return stage.decide(params.root, run.rows.release.release_id, params.job, *at)
    one = _narrowed(params, run, limit)
    return _elsewhere(one, run) if params.on_pools else evaluate_run(one)


@job("evaluate-run", "{params.run_name}")
def evaluate_run(params: EvaluateParams) -> Summary:
    """Runs one candidate at one budget in one arm, or a share of its items, a shard after the
    other. Its progress, costs and failures are on the run's page."""
    run = _the_one(params)
    with RunBoard(run.name) as board:
        share = params.share, params.spread
        sharded = ShardedRun(
            run,
            params.job,
            limit_usd=params.limit_usd,
            heard=board.heard,
            share=share,
            patience=_patience(),
        )
        with stage.opened(sharded) as name:
            left = list(range(len(sharded.shards)))
            for waits in (0.0, PATIENCE):
                left = _answered(name, left, waits, lambda: board.show(sharded.summary()))
            found = sharded.record()
            board.show(found)
            return found


def _the_one(params: EvaluateParams) -> Run:
    """The run of a candidate that is asked for.

    Raises:
        UsageError: It is another number of runs, or one that asks no model.
    """
    runs = params.job.runs(stage.release_rows(params.root, params.release))
    if len(runs) != 1 or not isinstance(runs[0].system, Candidate):
        raise UsageError(
            "this is for one run of one model, and something else is asked for",
            item=params.label,
            stage="evaluate",
            remedy="name one model, one budget and one arm; for controls there is evaluate/cpu",
        )
    return runs[0]


def _patience() -> float:
    """Seconds to wait for another process that is at the same run: a command says at once that
    there is one, on a pool there is time to wait, and a dead one is at it for a minute."""
    return PATIENCE if deployment.id else 0.0


def _answered(
    name: str, shards: list[int], patience: float, shown: Callable[[], None]
) -> list[int]:
    """Has shards answered, several at a time; those that another process is at."""
    with ThreadPoolTaskRunner[int | None](max_workers=_TOGETHER) as runner:
        futures: dict[int, PrefectFuture[int | None]] = {
            at: runner.submit(stage.answer, {"run": name, "shard": at, "patience": patience})
            for at in shards
        }
        for future in as_completed(list(futures.values())):
            future.result()
            shown()
        return [at for at, future in futures.items() if future.result() is None]


def _narrowed(params: EvaluateParams, run: Run, limit: float | None) -> EvaluateParams:
    return params.model_copy(
        update={
            "release": run.rows.release.release_id,
            "systems": [run.system.name],
            "budgets": [run.budget],
            "arms": [run.arm_name],
            "limit_usd": limit,
            "on_pools": False,
            "spread": params.spread if params.on_pools else 1,
        }
    )


def _elsewhere(params: EvaluateParams, run: Run) -> Summary:
    """The run on the work pool where its model belongs, as one flow run or as several that share
    its items and its limit; waits for them.

    Raises:
        EngineError: One did not complete. What was answered is kept.
        UsageError: Another process is at the run, and does not end.
    """
    limit = None if params.limit_usd is None else params.limit_usd / params.spread
    shares = [
        params.model_copy(update={"share": at, "limit_usd": limit}) for at in range(params.spread)
    ]
    with ExitStack() as stack:
        if params.spread > 1:  # one alone keeps others away itself
            stack.enter_context(alone(run, _patience()))
        waiting = stack.enter_context(ThreadPoolExecutor(params.spread))
        for ended in [waiting.submit(copy_context().run, _deployed, one, run) for one in shares]:
            ended.result()
    return stage.recorded(run, params.job, params.spread)


def _deployed(params: EvaluateParams, run: Run) -> None:
    entry = entry_of(run.system.name)
    # What a run that crashed has spent of its limit is known to nobody: it is not begun again.
    again = 2 if params.limit_usd is None else 0
    completed(
        f"evaluate-run/{entry.runs_on if entry else 'cpu'}", params, stage="evaluate", again=again
    )
