"""The model-based gates of a question family (VoxMem, §3.3, QC-2, and Appendix F.3).

The definition checks all that annotations can tell (:mod:`voxmem.quality.families`). These gates
ask a model for what they cannot: whether the words, the recordings or the question itself tell
more, or less, than the annotations say.
"""

from voxmem.quality.gates.cases import Case, Recordings
from voxmem.quality.gates.conflicts import check_evaluable, conflicts, version_of
from voxmem.quality.gates.loop import run_gates
from voxmem.quality.gates.model import GateModel, ServedModel, served
from voxmem.quality.gates.records import (
    Dropped,
    Finding,
    GateOutcome,
    GateReport,
    Revised,
)
from voxmem.quality.gates.revise import another_wording

__all__ = [
    "Case",
    "Dropped",
    "Finding",
    "GateModel",
    "GateOutcome",
    "GateReport",
    "Recordings",
    "Revised",
    "ServedModel",
    "another_wording",
    "check_evaluable",
    "conflicts",
    "run_gates",
    "served",
    "version_of",
]
