"""Arms: views of the same release, each a way of telling an item. One file, and one name below."""

from voxmem.evaluate.arms.arm import ARMS, Arm, arm_named, register
from voxmem.evaluate.arms.audio import AUDIO, NO_ABSTENTION
from voxmem.evaluate.arms.cues import CUES
from voxmem.evaluate.arms.evidence import EVIDENCE_LAST, EVIDENCE_ONLY
from voxmem.evaluate.arms.paired import PAIRED
from voxmem.evaluate.arms.shuffled import SHUFFLED
from voxmem.evaluate.arms.transcript import TRANSCRIPT, TRANSCRIPT_NO_ABSTENTION
from voxmem.evaluate.arms.wrong_cues import WRONG_CUES

__all__ = ["ARMS", "Arm", "arm_named"]

for _arm in (
    AUDIO,
    NO_ABSTENTION,
    TRANSCRIPT,
    TRANSCRIPT_NO_ABSTENTION,
    CUES,
    WRONG_CUES,
    PAIRED,
    EVIDENCE_ONLY,
    EVIDENCE_LAST,
    SHUFFLED,
):
    register(_arm)
