"""Preflight: is a model driven as it should be? Asked once, before it is asked any item.

What goes wrong in silence elsewhere is tried out here: clips that are not heard, or cut, or too
many; a system text that a template drops; a history that is longer than the context.
"""

from voxmem.evaluate.preflight.booth import Speak, embedded_voice
from voxmem.evaluate.preflight.needs import DEFAULT, longest_told, needs_of
from voxmem.evaluate.preflight.records import Finding, Need, Preflight
from voxmem.evaluate.preflight.run import TABLE, found, keep, once, run

__all__ = [
    "DEFAULT",
    "TABLE",
    "Finding",
    "Need",
    "Preflight",
    "Speak",
    "embedded_voice",
    "found",
    "keep",
    "longest_told",
    "needs_of",
    "once",
    "run",
]
