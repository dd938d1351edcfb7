"""What an audit found: how many clips pass, how sure that is, and which ones do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from voxmem.quality.audit.queue import Queued
from voxmem.quality.audit.records import Audits, Fault, latest
from voxmem.quality.audit.settle import Settled, settled
from voxmem.quality.audit.source import ClipSource
from voxmem.quality.labelling.agreement import Agreement, agreement, agreement_text
from voxmem.quality.labelling.share import Share, share
from voxmem.quality.labelling.tally import tally
from voxmem.records import Record


class FailedClip(Record):
    """A clip that most of its annotators let fail."""

    clip_id: str
    text: str
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]


class Summary(Record):
    """The state of an audit."""

    source: str
    clips: int
    """That could be heard."""
    queue: int
    lacking: int
    """Of the queue, without a verdict that is settled."""
    undecided: int
    """Of these, heard by somebody: annotators differ or are unsure."""
    settled: dict[Settled, int]
    annotators: dict[str, dict[str, int]]
    passing: Share | None
    agreement: Agreement
    failed: tuple[FailedClip, ...]


def summarise(source: ClipSource, queue: Sequence[Queued], audits: Audits) -> Summary:
    """What is known so far. Verdicts on clips outside of the queue count for all but the rate."""
    heard = latest(audits.rows(), source.clips)
    results = settled(heard)
    queued = {item.clip_id for item in queue}
    undecided = sum(results.get(name) == "undecided" for name in queued)
    return Summary(
        source=source.name,
        clips=len(source.clips),
        queue=len(queue),
        lacking=len(queued - results.keys()) + undecided,
        undecided=undecided,
        settled=dict(sorted(Counter(results.values()).items())),
        annotators=tally(heard),
        passing=pass_rate(queue, results),
        agreement=agreement(heard),
        failed=tuple(
            FailedClip(
                clip_id=name,
                text=source.clips[name].spec.text,
                faults=tuple(row.fault for row in heard[name].values() if row.fault),
                notes=tuple(row.note for row in heard[name].values() if row.note),
            )
            for name in sorted(results)
            if results[name] == "fail"
        ),
    )


def pass_rate(queue: Sequence[Queued], results: Mapping[str, Settled]) -> Share | None:
    """The share of all clips that pass; ``None`` if nothing is decided. Each decided clip of the
    queue stands for ``1 / probability`` clips."""
    return share(
        (1 / item.probability, results[item.clip_id] == "pass")
        for item in queue
        if results.get(item.clip_id, "undecided") != "undecided"
    )


def as_text(summary: Summary) -> str:
    """The summary as lines."""
    lines = [
        f"{summary.source}: {summary.queue} of {summary.clips} clips queued, "
        f"{summary.undecided} undecided, {summary.lacking - summary.undecided} without a verdict"
    ]
    for name, said in summary.annotators.items():
        lines.append(f"{name:<20}" + ", ".join(f"{count} {what}" for what, count in said.items()))
    rate = summary.passing
    if rate is not None:
        lines.append(
            f"passing             {rate.value:.1%} of all clips ({rate.low:.1%} to "
            f"{rate.high:.1%}; {rate.n} decided, worth {rate.effective:.0f} drawn alike)"
        )
    lines += agreement_text(summary.agreement, "clips")
    for clip in summary.failed:
        why = "; ".join((*dict.fromkeys(clip.faults), *clip.notes))
        lines.append(f"failed              {clip.clip_id[:12]}  {why}: {clip.text}")
    return "\n".join(lines)
