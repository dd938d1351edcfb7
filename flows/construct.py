"""The construction of a release (VoxMem, Figure 3)."""

from __future__ import annotations

from prefect import flow
from prefect.futures import as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.params import ConstructParams
from tasks import construct as stage
from voxmem.config import BuildConfig
from voxmem.progress import report


@flow(name="construct", flow_run_name="construct-{params.preset}")
def construct(params: ConstructParams) -> str:
    """Builds a release: questions are planned, written, placed in histories, spoken and checked.

    Returns the release's id. What an earlier run has finished is not done again.
    """
    at = params.root, params.config()
    stage.plan(*at)
    stage.write(*at)
    chunks = stage.allocate(*at)
    threads = ThreadPoolTaskRunner(max_workers=params.workers)
    speak.with_options(task_runner=threads)(*at, chunks)
    stage.listen(*at)
    stage.fit(*at)
    stage.gate_families(*at)
    return stage.publish(*at)


@flow(name="speak", flow_run_name="speak-{chunks}-chunks")
def speak(root: str, config: BuildConfig, chunks: int) -> int:
    """Speaks and measures every clip once, several chunks at a time; returns the clips spoken."""
    futures = [stage.speak.submit(root, config, chunk) for chunk in range(chunks)]
    clips = 0
    for done, future in enumerate(as_completed(futures), start=1):
        clips += future.result()
        report("speak", done, chunks)
    return clips
