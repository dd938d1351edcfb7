"""The construction of a release (VoxMem, Figure 3)."""

from __future__ import annotations

from collections.abc import Callable

from prefect import flow
from prefect.futures import as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.params import ConstructParams
from tasks import construct as stage
from tasks import processes
from voxmem.config import BuildConfig
from voxmem.progress import report
from voxmem.store.root import open_root
from voxmem.store.timings import timed


@flow(name="construct", flow_run_name="construct-{params.name}")
def construct(params: ConstructParams) -> str:
    """Builds a release: questions are planned, written, placed in histories, spoken and checked.

    Returns the release's id. What an earlier run has finished is not done again.
    """
    at = params.root, params.config()
    _counted(at, "plan", lambda: stage.plan(*at, params.workers))
    _counted(at, "write", lambda: stage.write(*at, params.workers))
    _counted(at, "allocate", lambda: stage.allocate(*at))
    if not at[1].text_only:
        threads: ThreadPoolTaskRunner[int] = ThreadPoolTaskRunner(max_workers=params.workers)
        # Prefect's runners are invariant in their futures, so no runner fits its own annotation.
        chunks = stage.cut(*at)
        with timed(open_root(params.root), at[1].build_id, "speak"):
            speak.with_options(task_runner=threads)(*at, chunks, params.workers)  # type: ignore[arg-type]
    _counted(at, "fit", lambda: stage.fit(*at))
    _counted(at, "gate families", lambda: stage.gate_families(*at, params.workers))
    _counted(at, "probe", lambda: stage.probe(*at, params.workers))
    processes.close()
    release = stage.publish(*at)
    report("publish", 1, 1)
    return release


def _counted(at: tuple[str, BuildConfig], name: str, run: Callable[[], int]) -> int:
    """Runs a stage that says how much it has made only when it is done."""
    report(name, 0, 0)
    with timed(open_root(at[0]), at[1].build_id, name):
        count = run()
    report(name, max(count, 1), max(count, 1))
    return count


@flow(name="speak", flow_run_name="speak-{chunks}-chunks")
def speak(root: str, config: BuildConfig, chunks: int, workers: int) -> int:
    """Speaks and checks every clip once, several chunks at a time; returns the clips spoken."""
    report("speak", 0, chunks)
    futures = [stage.speak.submit(root, config, chunk, workers) for chunk in range(chunks)]
    clips = 0
    for done, future in enumerate(as_completed(futures), start=1):
        clips += future.result()
        report("speak", done, chunks)
    return clips
