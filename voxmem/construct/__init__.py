"""The construction road, stage by stage (VoxMem, Figure 3): plan → write → allocate → speak
and gate sessions → fit → gate families → probe → publish.

Each stage reads what the earlier ones left in the store and writes its own part, once: a stage
whose part is there does nothing. No stage knows how it is scheduled.
"""

from voxmem.construct.allocate import allocate_histories
from voxmem.construct.fit import fit_histories
from voxmem.construct.gate import gate_families
from voxmem.construct.plan import plan
from voxmem.construct.probe import probe
from voxmem.construct.publish import publish, used_clips
from voxmem.construct.speak import is_spoken, renditions, speak
from voxmem.construct.write import write

__all__ = [
    "allocate_histories",
    "fit_histories",
    "gate_families",
    "is_spoken",
    "plan",
    "probe",
    "publish",
    "renditions",
    "speak",
    "used_clips",
    "write",
]
