"""What the annotators of a clip come to together, and what a release may ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from voxmem.build import Build
from voxmem.errors import ConstructionError
from voxmem.quality.audit.queue import Queued, draw
from voxmem.quality.audit.records import Audits, ClipAudit, Heard, latest
from voxmem.quality.audit.source import ClipSource, of_build
from voxmem.quality.calibration.thresholds import calibration
from voxmem.quality.labelling.agreement import consensus
from voxmem.records import Clip

Settled = Literal["pass", "fail", "undecided"]


def settle(verdicts: Iterable[ClipAudit]) -> Settled:
    """By the majority of those who were sure; as many of either, or none, are undecided."""
    found = consensus(row.verdict for row in verdicts if row.verdict != "unsure")
    return "pass" if found == "pass" else "fail" if found == "fail" else "undecided"


def settled(heard: Heard) -> dict[str, Settled]:
    """Clip id → what its annotators come to, of all clips that anybody has heard."""
    return {clip_id: settle(verdicts.values()) for clip_id, verdicts in heard.items()}


def failed_clips(rows: Iterable[ClipAudit], clips: Mapping[str, Clip]) -> frozenset[str]:
    """The clips that failed, in the queue or not: their sessions are dropped like those of clips
    that failed the session gate."""
    found = settled(latest(rows, clips))
    return frozenset(clip_id for clip_id, result in found.items() if result == "fail")


def check_audited(source: ClipSource, queue: Sequence[Queued], rows: Iterable[ClipAudit]) -> None:
    """Whether the whole queue has a verdict.

    Raises:
        ConstructionError: It has not; how many are lacking, and the command that asks for them.
    """
    found = settled(latest(rows, source.clips))
    lacking = [item for item in queue if found.get(item.clip_id, "undecided") == "undecided"]
    if lacking:
        heard = sum(item.clip_id in found for item in lacking)
        split = f", on {heard} of them annotators differ or are unsure" if heard else ""
        raise ConstructionError(
            f"{len(lacking)} of {len(queue)} clips of the audit have no verdict yet{split}",
            item=source.name,
            stage="audit",
            remedy=f"run: voxmem audit clips {source.options}",
        )


def turned_away(build: Build) -> frozenset[str]:
    """The clips of a build that failed its audit; none if its config asks for no audit. To be asked
    when all is spoken and nothing is fitted yet: so a session that is dropped is replaced.

    Raises:
        ConstructionError: Somebody has to listen first.
    """
    if not build.config.session_gate.audited:
        return frozenset()
    source = of_build(build)
    rows = Audits(build.root.tables).rows()
    check_audited(source, draw(source, calibration()), rows)
    return failed_clips(rows, source.clips)
