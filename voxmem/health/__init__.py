"""Whether a machine can do its work: one check, one small function, one line below."""

from voxmem.health.finding import Check, Finding, Status, examine
from voxmem.health.machine import Place, disk, gpu, packages, python
from voxmem.health.store import catalogue_of_models, root, store_clock

CHECKS: tuple[Check[Place], ...] = (
    python,
    packages,
    gpu,
    disk,
    root,
    store_clock,
    catalogue_of_models,
)
"""Of this machine, whether or not there is a workflow server."""

__all__ = ["CHECKS", "Check", "Finding", "Place", "Status", "examine"]
