"""What is done with the readings: one small function per operation of the algebra."""

from __future__ import annotations

from voxmem.semantics.operate import across, extraction, in_time
from voxmem.semantics.operate.registry import OPERATIONS, Result, evaluate

__all__ = ["OPERATIONS", "Result", "across", "evaluate", "extraction", "in_time"]
