"""Evaluating, judging and analysing as tasks: a control at once, a candidate shard by shard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.runtime import deployment

from voxmem import reporting, score
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.analyze.attribution.runner import Attributed
from voxmem.errors import EngineError, VoxmemError
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run, responses, settled
from voxmem.evaluate.runner import evaluate as evaluate_run
from voxmem.evaluate.runner import items_of
from voxmem.evaluate.sharded import ShardedRun, document
from voxmem.evaluate.summary import Summary, summarize, together
from voxmem.judge.runner import Judged
from voxmem.keys import short
from voxmem.reporting import Wanted
from voxmem.turns import PATIENCE, turn

_OPEN: dict[str, ShardedRun] = {}
"""Name → the run that is open. A model, or a connection, is no parameter of a task."""


@lru_cache(maxsize=2)
def release_rows(root: str, release: str) -> ReleaseRows:
    """A release's tables, read once per process."""
    return open_release(root, release)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="evaluate-{system}-{budget}-{arm}")
def decide(root: str, release: str, job: Job, system: str, budget: str, arm: str) -> Summary:
    """Runs one control."""
    rows = release_rows(root, release)
    run = job.run_of(rows, system, budget, arm)
    items = items_of(run, job.questions(rows, budget))
    return summarize(run.name, evaluate_run(run, items), len(items))


def finished(run: Run, job: Job) -> Summary | None:
    """What came of a run that has nothing left to do; ``None``: it has. No task."""
    wanted = job.questions(run.rows, run.budget)
    rows = settled(run, wanted)
    return None if rows is None else summarize(run.name, rows, len(wanted))


def recorded(run: Run, job: Job, shares: int) -> Summary:
    """What the processes that asked a run have left of it.

    Raises:
        EngineError: One has left nothing here.
    """
    wanted = job.questions(run.rows, run.budget)
    root = run.rows.root
    each = [root.get_json(document(run, (at, shares))) for at in range(shares)]
    if None in each:
        raise EngineError(
            "its flow runs have completed and left nothing in this root",
            item=run.name,
            stage="evaluate",
            remedy=f"see that the workers have {root.uri}: the same folder, or the same bucket",
        )
    said = [Summary.model_validate(one) for one in each]
    return together(run.name, responses(run, wanted) or (), len(wanted), said)


def _unforeseen(task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:
    """Whether a second try may help: not where we know what is wrong (a full disk, a setting), and
    every call would be paid again."""
    return not isinstance(state.data, VoxmemError)


@contextmanager
def opened(sharded: ShardedRun) -> Iterator[str]:
    """Opens a candidate for the tasks of its shards; the name that they know it by."""
    name = f"{sharded.run.part}-{id(sharded)}"
    with sharded:
        _OPEN[name] = sharded
        try:
            yield name
        finally:
            del _OPEN[name]


@task(
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=1,
    retry_delay_seconds=2,
    retry_condition_fn=_unforeseen,
    task_run_name="shard-{shard}",
)
def answer(run: str, shard: int, patience: float = 0.0) -> int | None:
    """Answers the items of one shard; returns how many rows it has. What was answered before is
    not asked again. ``None``: another process is at it.

    Args:
        run: The name that it is open under.
        patience: Seconds to wait for such a process.
    """
    return _OPEN[run].answer(shard, patience)


@task(
    cache_policy=NO_CACHE,
    persist_result=False,
    task_run_name="judge-{system}-{budget}-{arm}-by-{name}",
)
def judge(
    root: str,
    release: str,
    job: Job,
    system: str,
    budget: str,
    arm: str,
    name: str,
    limit_usd: float | None = None,
) -> Judged:
    """Has one judge judge one run's responses."""
    run = job.run_of(release_rows(root, release), system, budget, arm)
    with _turn(run, "judge", name):
        return score.judge_responses(run, score.judge_of(job, name), limit_usd)


@task(
    cache_policy=NO_CACHE,
    persist_result=False,
    task_run_name="attribute-{system}-{budget}-{arm}-by-{auditor}",
)
def attribute(
    root: str,
    release: str,
    job: Job,
    system: str,
    budget: str,
    arm: str,
    auditor: str,
    *,
    judge: str,
    limit_usd: float | None = None,
) -> Attributed:
    """Has one auditor trace what a judge found wrong in one run."""
    run = job.run_of(release_rows(root, release), system, budget, arm)
    with _turn(run, "attribute", auditor):
        return score.attribute_errors(
            run, score.judge_of(job, judge), make_auditor(auditor), limit_usd
        )


def _turn(run: Run, stage: str, reader: str) -> AbstractContextManager[bool]:
    """A run on a worker waits for another that reads the same responses, and then finds nothing
    left; a command is told at once."""
    patience = PATIENCE if deployment.id else 0.0
    return turn(run.rows.root, short(stage, run.part, reader), patience)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="report")
def report(
    root: str, release: str, job: Job, wanted: Wanted, out: str | None, day: str | None = None
) -> str:
    """Writes the report; returns its first page."""
    return reporting.publish_report(release_rows(root, release), job, wanted, out, day)
