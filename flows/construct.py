"""The construction of a release (VoxMem, Figure 3)."""

from __future__ import annotations

from flows.gate import gate
from flows.job import job
from flows.params import ConstructParams, SpeakParams
from flows.publish import publish
from flows.runners import clustered
from flows.speak import speak, speak_elsewhere
from flows.stages import counted
from tasks import construct as stage
from voxmem.store.root import open_root
from voxmem.store.timings import timed


@job("construct", "construct-{params.name}")
def construct(params: ConstructParams) -> str:
    """Builds a release: questions are planned, written, placed in histories, spoken and checked.

    Returns the release's id. What an earlier run has finished is not done again.
    """
    with clustered(params) as here:
        at, by = (here.root, here.config()), (here.workers, here.dask_address)
        counted(here, "plan", lambda: stage.plan(*at, *by))
        counted(here, "write", lambda: stage.write(*at, *by))
        counted(here, "allocate", lambda: stage.allocate(*at))
        if not at[1].text_only:
            with timed(open_root(here.root), at[1].build_id, "speak"):
                _speak(here, stage.cut(*at))
        gate(here)
    return publish(params)


def _speak(params: ConstructParams, chunks: int) -> None:
    if params.speak_on is not None:
        speak_elsewhere(params, chunks)
    else:
        speak(SpeakParams(**dict(params), first=0, last=chunks))
