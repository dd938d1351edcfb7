"""The checks of what was spoken: lengths that were measured, families, and probes that cheat."""

from __future__ import annotations

from flows.job import job
from flows.params import ConstructParams
from flows.runners import clustered
from flows.stages import counted
from tasks import construct as stage
from tasks import processes


@job("gate", "gate-{params.name}")
def gate(params: ConstructParams) -> int:
    """Fits histories by what was spoken, then gates question families (QC-2) and probes the rest.

    Returns how many questions are admitted.
    """
    with clustered(params) as here:
        at, by = (here.root, here.config()), (here.workers, here.dask_address)
        counted(here, "fit", lambda: stage.fit(*at))
        admitted = counted(here, "gate families", lambda: stage.gate_families(*at, *by))
        counted(here, "probe", lambda: stage.probe(*at, *by))
    processes.close()
    return admitted
