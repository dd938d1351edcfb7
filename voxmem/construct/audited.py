"""The human audit of a build's clips, where its config asks for one."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.records import Audits
from voxmem.quality.audit.settle import check_audited, failed_clips
from voxmem.quality.audit.source import of_build
from voxmem.quality.calibration.thresholds import calibration


def audit(build: Build) -> int:
    """Whether people have heard the clips that were drawn for them. Returns how many they failed.

    Raises:
        ConstructionError: Clips lack a verdict; the command that asks for them is named.
    """
    if not is_wanted(build):
        return 0
    source, rows = of_build(build), Audits(build.root.tables).rows()
    check_audited(source, draw(source, calibration()), rows)
    return len(failed_clips(rows, source.clips))


def is_wanted(build: Build) -> bool:
    """Whether the release waits for people."""
    return build.config.session_gate.audited and not build.config.text_only


def failed(build: Build) -> frozenset[str]:
    """The clips that people failed; none where none were asked."""
    if not is_wanted(build):
        return frozenset()
    return failed_clips(Audits(build.root.tables).rows(), build.clips)
