"""The checks of what was spoken: lengths that were measured, families, and probes that cheat."""

from __future__ import annotations

from flows.job import job
from flows.params import ConstructParams
from flows.stages import counted
from tasks import construct as stage
from tasks import processes


@job("gate", "gate-{params.name}")
def gate(params: ConstructParams) -> int:
    """Fits histories by what was spoken, then gates question families (QC-2) and probes the rest.

    Returns how many questions are admitted.
    """
    at = params.root, params.config()
    counted(params, "fit", lambda: stage.fit(*at))
    admitted = counted(params, "gate families", lambda: stage.gate_families(*at, params.workers))
    counted(params, "probe", lambda: stage.probe(*at, params.workers))
    processes.close()
    return admitted
