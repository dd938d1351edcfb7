"""Who is compared: a system under one arm, and the group that Table 12 of VoxMem puts it in."""

from __future__ import annotations

from typing import Literal

from voxmem.errors import UsageError
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import create
from voxmem.records import Record

Kind = Literal["control", "memory", "model", "predictions"]
"""``predictions``: asked elsewhere, and known by its answers alone."""

OPEN_WEIGHT = ("audio-specialist", "omni-modal")
"""The groups of Table 12 that the paper's means call open-weight."""
PROPRIETARY = "proprietary"
PROTOCOL = "audio"
"""The arm that the benchmark is defined by."""


class Entrant(Record):
    """One row of every table of results."""

    name: str
    """As it is shown, and unique: "gemini-3.1-pro", "gemini-3.1-pro (transcript)"."""
    system: str
    arm: str = PROTOCOL
    kind: Kind = "model"
    group: str = ""
    """Of Table 12: "audio-specialist", "omni-modal", "proprietary"; else "text" or ""."""
    family: str = ""
    """Of models of one maker ("gemini"), to tell whether a judge is partial."""

    @property
    def is_open_weight(self) -> bool:
        return self.group in OPEN_WEIGHT

    @property
    def is_proprietary(self) -> bool:
        return self.group == PROPRIETARY


def entrant(system: str, arm: str = PROTOCOL) -> Entrant:
    """A system of the registry or the catalogue; any other is known by its predictions alone."""
    entry = entry_of(system)
    return Entrant(
        name=system if arm == PROTOCOL else f"{system} ({arm})",
        system=system,
        arm=arm,
        kind=_kind(system),
        group=entry.group if entry else "",
        family=entry.family if entry else "",
    )


def _kind(system: str) -> Kind:
    try:
        found: Kind = getattr(create(system), "kind", "predictions")
    except UsageError:
        return "predictions"
    return found
