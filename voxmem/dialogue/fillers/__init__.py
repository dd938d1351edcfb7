"""Fillers: ordinary sessions that have nothing to do with any question (VoxMem, B.5, Table 11)."""

from voxmem.dialogue.fillers.collect import FillerRejection
from voxmem.dialogue.fillers.pool import TOPIC, FillerPool, filler_pool
from voxmem.dialogue.fillers.protected import Protected

__all__ = ["TOPIC", "FillerPool", "FillerRejection", "Protected", "filler_pool"]
