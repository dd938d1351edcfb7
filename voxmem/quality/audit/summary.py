"""What an audit found: how many clips pass, how sure that is, and which ones do not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from voxmem.quality.audit.agreement import Agreement, agreement
from voxmem.quality.audit.queue import Queued
from voxmem.quality.audit.records import Audits, Fault, Verdict, latest
from voxmem.quality.audit.settle import Settled, settled
from voxmem.quality.audit.source import ClipSource
from voxmem.records import Record

_Z = 1.959964


class FailedClip(Record):
    """A clip that most of its annotators let fail."""

    clip_id: str
    text: str
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]


class Rate(Record):
    """The share of all clips that pass, as far as the queue tells."""

    value: float
    low: float
    high: float
    """The 95 % interval."""
    clips: int
    """That were decided."""
    effective: float
    """How many clips, drawn alike, would tell as much (Kish)."""


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
    annotators: dict[str, dict[Verdict, int]]
    passing: Rate | None
    agreement: Agreement
    failed: tuple[FailedClip, ...]


def summarise(source: ClipSource, queue: Sequence[Queued], audits: Audits) -> Summary:
    """What is known so far. Verdicts on clips outside of the queue count for all but the rate."""
    heard = latest(audits.rows(), source.clips)
    results = settled(heard)
    queued = {item.clip_id for item in queue}
    said: dict[str, Counter[Verdict]] = {}
    for verdicts in heard.values():
        for name, row in verdicts.items():
            said.setdefault(name, Counter())[row.verdict] += 1
    undecided = sum(results.get(name) == "undecided" for name in queued)
    return Summary(
        source=source.name,
        clips=len(source.clips),
        queue=len(queue),
        lacking=len(queued - results.keys()) + undecided,
        undecided=undecided,
        settled=dict(sorted(Counter(results.values()).items())),
        annotators={name: dict(sorted(said[name].items())) for name in sorted(said)},
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


def pass_rate(queue: Sequence[Queued], results: Mapping[str, Settled]) -> Rate | None:
    """The share of all clips that pass; ``None`` if nothing is decided.

    Each decided clip of the queue stands for ``1 / probability`` clips (Hájek's ratio). The
    interval is Wilson's, at the effective size of a sample with these weights (Kish, 1965): the sum
    of the weights, squared, over the sum of their squares.
    """
    weights = [
        (1 / item.probability, results[item.clip_id] == "pass")
        for item in queue
        if results.get(item.clip_id, "undecided") != "undecided"
    ]
    if not weights:
        return None
    total = math.fsum(weight for weight, _ in weights)
    value = math.fsum(weight for weight, passed in weights if passed) / total
    effective = total**2 / math.fsum(weight**2 for weight, _ in weights)
    low, high = _wilson(value, effective)
    return Rate(value=value, low=low, high=high, clips=len(weights), effective=effective)


def _wilson(share: float, number: float) -> tuple[float, float]:
    spread = _Z * math.sqrt(share * (1 - share) / number + _Z**2 / (4 * number**2))
    middle, scale = share + _Z**2 / (2 * number), 1 + _Z**2 / number
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def as_text(summary: Summary) -> str:
    """The summary as lines."""
    lines = [
        f"{summary.source}: {summary.queue} of {summary.clips} clips queued, "
        f"{summary.undecided} undecided, {summary.lacking - summary.undecided} without a verdict"
    ]
    for name, said in summary.annotators.items():
        lines.append(f"{name:<20}" + ", ".join(f"{count} {what}" for what, count in said.items()))
    rate, found = summary.passing, summary.agreement
    if rate is not None:
        lines.append(
            f"passing             {rate.value:.1%} of all clips ({rate.low:.1%} to "
            f"{rate.high:.1%}; {rate.clips} decided, worth {rate.effective:.0f} drawn alike)"
        )
    if found.same is not None:
        lines.append(
            f"agreement           {found.same:.1%} on {found.clips} clips of {found.annotators} "
            f"annotators, {_measures(found)}"
        )
    for clip in summary.failed:
        why = "; ".join((*dict.fromkeys(clip.faults), *clip.notes))
        lines.append(f"failed              {clip.clip_id[:12]}  {why}: {clip.text}")
    return "\n".join(lines)


def _measures(found: Agreement) -> str:
    named = (("Cohen's kappa", found.kappa), ("Krippendorff's alpha", found.alpha))
    shown = [f"{name} {value:.2f}" for name, value in named if value is not None]
    return ", ".join(shown) or "all of one label, so that chance cannot be told"
