"""The construction of a release (VoxMem, Figure 3)."""

from __future__ import annotations

from collections.abc import Callable

from prefect import flow

from flows.params import ConstructParams, SpeakParams
from flows.speak import speak, speak_elsewhere
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
        with timed(open_root(params.root), at[1].build_id, "speak"):
            _speak(params, stage.cut(*at))
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


def _speak(params: ConstructParams, chunks: int) -> None:
    if params.speak_on is not None:
        speak_elsewhere(params, chunks)
    else:
        here = {"root": params.root, "custom": params.config(), "workers": params.workers}
        speak(SpeakParams(**here, first=0, last=chunks))
