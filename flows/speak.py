"""Speech, shard by shard: here, or as flow runs on machines that a speech engine needs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import pairwise
from typing import Any

from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import TaskRunner

from flows.children import completed
from flows.job import job
from flows.params import ConstructParams, SpeakParams
from flows.runners import clustered, task_runner
from tasks import construct as stage
from tasks.builds import build
from voxmem.errors import EngineError, UsageError
from voxmem.progress import report
from voxmem.turns import PATIENCE


@job("speak", "speak-{params.name}-{params.part}")
def speak(params: SpeakParams) -> int:
    """Speaks and checks the clips of some shards once, several at a time; returns how many clips
    they hold. What an earlier run has spoken is not spoken again. What another run is at is left to
    it: others are spoken meanwhile, and it is spoken here only if that run has ended without it.

    Raises:
        EngineError: Another run is at a shard, and does not end.
        UsageError: There is no such shard.
    """
    shards = _shards(params)
    report("speak", 0, len(shards))
    with clustered(params) as here, task_runner(here) as runner:
        clips = _spoken(here, runner, shards, len(shards), patience=0.0)
        held = [at for at, count in clips.items() if count is None]
        clips |= {at: stage.spoken(here.root, here.config(), at) or None for at in held}
        left = [at for at in held if clips[at] is None]
        clips |= _spoken(here, runner, left, len(shards), patience=PATIENCE)
    for at, count in clips.items():
        if count is None:
            raise EngineError(
                "another run is at it, and does not end",
                item=f"chunk {at}",
                stage="speak",
                remedy="end that run; run this one again, what is spoken is kept",
            )
    return sum(count or 0 for count in clips.values())


def _shards(params: SpeakParams) -> range:
    """Those that are asked for, all of which the build has."""
    opened = build(params.root, params.config())
    if not opened.has("allocations"):
        raise UsageError(
            "its dialogues are not allocated yet: there is nothing to speak",
            item=params.name,
            stage="speak",
            remedy="construct it, here or with speak_on; check root, preset and seed",
        )
    there = len(opened.chunks)
    last = there if params.last is None else params.last
    if not params.first <= last <= there:
        raise UsageError(
            f"the build has {there} shards, the first of which is 0",
            item=f"{params.name}, shards {params.part}",
            stage="speak",
            remedy="correct first and last, or leave last empty",
        )
    return range(params.first, last)


def _spoken(
    params: SpeakParams, runner: TaskRunner[Any], chunks: Sequence[int], total: int, patience: float
) -> dict[int, int | None]:
    """Chunk → how many clips it has; ``None``: another run is at it."""
    given = {"root": params.root, "config": params.config(), "patience": patience}
    given["workers"] = 1 if params.dask_address else params.workers
    futures: dict[int, PrefectFuture[int | None]] = {
        at: runner.submit(stage.speak, {**given, "chunk": at}) for at in chunks
    }
    done = total - len(chunks)
    for future in as_completed(list(futures.values())):
        done += future.result() is not None
        report("speak", done, total)
    return {at: future.result() for at, future in futures.items()}


def speak_elsewhere(params: ConstructParams, chunks: int) -> None:
    """Runs of the deployment that speaks, each over a range of shards; waits for all of them.

    Raises:
        EngineError: One of them did not complete. What was spoken is kept.
    """
    runs = min(params.speak_runs, chunks)
    bounds = [round(at * chunks / max(runs, 1)) for at in range(runs + 1)]
    report("speak", 0, runs)
    with ThreadPoolExecutor(max(runs, 1)) as waiting:
        # Each thread in a copy of this context, so that the runs are children of this one.
        ended = [
            waiting.submit(copy_context().run, _run, params, first, last)
            for first, last in pairwise(bounds)
        ]
        for done, run in enumerate(ended, start=1):
            run.result()
            report("speak", done, runs)


def _run(params: ConstructParams, first: int, last: int) -> None:
    shards = SpeakParams(
        root=params.root, custom=params.config(), workers=params.workers, first=first, last=last
    )
    completed(str(params.speak_on), shards, stage="speak")
