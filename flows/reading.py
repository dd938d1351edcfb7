"""The responses of every run, read by every judge or auditor within one limit in dollars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from flows.boards import CostBoard
from flows.params import JudgeParams
from flows.tally import in_turn, split
from tasks import evaluate as stage
from voxmem.analyze.attribution.runner import Attributed
from voxmem.judge.runner import Judged
from voxmem.progress import report

P = TypeVar("P", bound=JudgeParams)
R = TypeVar("R", Judged, Attributed)


def read(
    flow: Callable[[P], list[R]],
    name: str,
    params: P,
    readers: Sequence[str],
    one: Callable[..., R],
) -> list[R]:
    """What came of each run and reader, one after the other: each may spend what is left.

    Args:
        flow: The flow that asks, and ``name`` what it is called: where it would have too many task
            runs, it is run for one part after the other.
        one: The task of a run and a reader.
    """
    rows = stage.release_rows(params.root, params.release)
    wanted, release = params.job, rows.release.release_id
    runs = wanted.runs(rows)
    whole = split(name, params, runs, lambda run: len(readers))
    if whole.parts:
        return in_turn(flow, whole.parts)
    work = [(run, reader) for run in runs for reader in readers]
    left = params.limit_usd
    found: list[R] = []
    with CostBoard(name, release) as costs:
        for done, (run, reader) in enumerate(work, start=1):
            at = run.system.name, run.budget, run.arm_name
            came = one(params.root, release, wanted, *at, reader, limit_usd=left)
            found.append(came)
            left = None if left is None else max(left - came.new_dollars, 0.0)
            costs.add(run, came)
            report(name, done, len(work))
    return found
