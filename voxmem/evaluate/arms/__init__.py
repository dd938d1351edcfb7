"""Arms: views of the same release, each a way of telling an item. One file and one registration."""

from voxmem.evaluate.arms import audio
from voxmem.evaluate.arms.arm import ARMS, Arm, arm_named

__all__ = ["ARMS", "Arm", "arm_named", "audio"]
