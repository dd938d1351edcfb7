"""Speech, shard by shard: here, or as flow runs on machines that a speech engine needs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import pairwise

from prefect.client.schemas.objects import FlowRun
from prefect.deployments import run_deployment
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.job import job
from flows.params import ConstructParams, SpeakParams
from tasks import construct as stage
from voxmem.errors import EngineError
from voxmem.progress import report


@job("speak", "speak-{params.shards}-chunks")
def speak(params: SpeakParams) -> int:
    """Speaks and checks the clips of some shards once, several at a time; returns how many clips
    they hold. What an earlier run has spoken is not spoken again."""
    config, clips = params.config(), 0
    report("speak", 0, params.shards)
    threads: ThreadPoolTaskRunner[int] = ThreadPoolTaskRunner(max_workers=params.workers)
    with threads as runner:
        futures: list[PrefectFuture[int]] = [
            runner.submit(
                stage.speak,
                {"root": params.root, "config": config, "chunk": at, "workers": params.workers},
            )
            for at in range(params.first, params.last)
        ]
        for done, future in enumerate(as_completed(futures), start=1):
            clips += future.result()
            report("speak", done, params.shards)
    return clips


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
        for done, run in enumerate((future.result() for future in ended), start=1):
            if run.state is None or not run.state.is_completed():
                raise EngineError(
                    f"ended as {run.state.name if run.state else 'unknown'}",
                    item=f"flow run {run.name}",
                    stage="speak",
                    remedy="see its logs in the dashboard; run it again, what is spoken is kept",
                )
            report("speak", done, runs)


def _run(params: ConstructParams, first: int, last: int) -> FlowRun:
    shards = SpeakParams(
        root=params.root, custom=params.config(), workers=params.workers, first=first, last=last
    )
    run: FlowRun = run_deployment(  # type: ignore[assignment]  # it waits: called from a thread
        name=str(params.speak_on), parameters={"params": shards.model_dump(mode="json")}
    )
    return run
