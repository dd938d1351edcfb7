"""How far people have come with a queue of responses, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.analyze.audit.task import ResponseTask
from voxmem.analyze.labels import label
from voxmem.quality.labelling.agreement import consensus
from voxmem.quality.labelling.records import L, Latest
from voxmem.quality.labelling.tally import tally
from voxmem.records import Record

CANNOT_TELL = "cannot_tell"


class Progress(Record):
    """The state of a queue."""

    source: str
    responses: int
    """That could be drawn."""
    distinct: int
    """Of these, with other words or to something else."""
    queue: int
    lacking: int
    """Of the queue, without a label that is settled."""
    undecided: int
    """Of these, labelled by somebody: annotators differ or cannot tell."""
    unrepresented: float
    """The share of all different ones that is in strata of which nothing is decided."""
    annotators: dict[str, dict[str, int]]


def decisions(said: Latest[L]) -> dict[str, str]:
    """What the annotators of a thing come to, by the majority of those who can tell; things on
    which they come to nothing are left out."""
    found = {
        name: consensus(row.says for row in rows.values() if row.says != CANNOT_TELL)
        for name, rows in said.items()
    }
    return {name: says for name, says in found.items() if says is not None}


def progress(task: ResponseTask[L], said: Latest[L]) -> Progress:
    """Of a task, by the labels that count."""
    decided = decisions(said)
    lacking = [name for name in task.queue if name not in decided]
    return Progress(
        source=task.source,
        responses=sum(len(unit.responses) for unit in task.units.values()),
        distinct=len(task.units),
        queue=len(task.queue),
        lacking=len(lacking),
        undecided=sum(name in said for name in lacking),
        unrepresented=task.sample.missing(decided),
        annotators=tally(said),
    )


def stands_for(task: ResponseTask[L], said: Latest[L]) -> dict[str, float]:
    """Of how many responses each decided thing tells."""
    weights = task.sample.weights(decisions(said))
    return {name: weight * len(task.units[name].responses) for name, weight in weights.items()}


def progress_text(found: Progress, things: str) -> Iterator[str]:
    """As lines of a summary."""
    yield (
        f"{found.source}: {found.queue} of {found.distinct} different {things} queued "
        f"({found.responses} in all), {found.undecided} undecided, "
        f"{found.lacking - found.undecided} without a label"
    )
    for name, said in found.annotators.items():
        yield f"{name:<20}" + ", ".join(
            f"{count} {label(what).lower()}" for what, count in said.items()
        )
    if found.unrepresented < 1:
        yield f"of all {things}, each label weighted by what it stands for:"
        if found.unrepresented:
            yield f"  {found.unrepresented:.1%} are of strata of which nothing is decided yet"
