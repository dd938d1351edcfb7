"""The construction of a release (VoxMem, Figure 3)."""

from __future__ import annotations

from flows.gate import gate
from flows.job import job
from flows.params import ConstructParams, SpeakParams
from flows.publish import publish
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
    at = params.root, params.config()
    counted(params, "plan", lambda: stage.plan(*at, params.workers))
    counted(params, "write", lambda: stage.write(*at, params.workers))
    counted(params, "allocate", lambda: stage.allocate(*at))
    if not at[1].text_only:
        with timed(open_root(params.root), at[1].build_id, "speak"):
            _speak(params, stage.cut(*at))
    gate(params)
    return publish(params)


def _speak(params: ConstructParams, chunks: int) -> None:
    if params.speak_on is not None:
        speak_elsewhere(params, chunks)
    else:
        here = {"root": params.root, "custom": params.config(), "workers": params.workers}
        speak(SpeakParams(**here, first=0, last=chunks))
