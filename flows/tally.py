"""How many task runs the flow runs of a job have, counted before anything runs.

The server keeps up with some hundred task runs of a flow run, and with few a second; rows are no
task runs. A flow run that a flow waits for is a task run of it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from flows.params import ConstructParams, EvaluateParams
from voxmem.build import MOST_CHUNKS, Build
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.evaluate.shards import cut
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import Control
from voxmem.store.root import open_root

MOST = 500
"""Task runs of a flow run."""

P = TypeVar("P", bound=EvaluateParams)


@dataclass(frozen=True)
class Tally:
    """Flow runs of one kind."""

    flow_run: str
    task_runs: int
    """Of each, at most, as long as no other process is at the same work."""
    runs: int = 1
    """How many such flow runs there are."""

    def __str__(self) -> str:
        times = f"{self.runs:,} × " if self.runs > 1 else ""
        return f"{times}{self.flow_run}: {self.task_runs:,} task runs"


def construction(params: ConstructParams) -> list[Tally]:
    """Of ``construct``. What is to be spoken is known once it is planned; until then it is the
    most that it can be."""
    build = Build(open_root(params.root), params.config())
    gated = [Tally("gate", 3), Tally("publish", 1)]
    if build.config.text_only:
        return [Tally("construct", 3 + len(gated)), *gated]
    chunks = len(build.chunks) if build.has("allocations") else MOST_CHUNKS
    runs = min(params.speak_runs, chunks) if params.speak_on else 1
    spoken = Tally("speak", -(-chunks // max(runs, 1)), runs)
    return [Tally("construct", 4 + runs + len(gated)), spoken, *gated]


def evaluation(rows: ReleaseRows, params: EvaluateParams) -> list[Tally]:
    """Of ``evaluate``, as if nothing of it were there."""
    runs = params.job.runs(rows)
    models = [run for run in runs if not isinstance(run.system, Control)]
    shards = [len(_shards(rows, params, run)) for run in models]
    spread = params.spread if params.on_pools else 1
    candidates = len(shards) * spread
    controls = len(runs) - len(shards)
    top = _by_system("evaluate", params, controls + candidates)
    if not shards:
        return top
    return [*top, Tally("evaluate-run", -(-max(shards) // spread), candidates)]


def readings(name: str, rows: ReleaseRows, params: EvaluateParams, readers: int) -> list[Tally]:
    """Of ``judge`` or ``attribute``: a task for each run and whoever reads it."""
    return _by_system(name, params, len(params.job.runs(rows)) * readers)


def by_system(flow: Callable[[P], Sequence[Any]], params: P, task_runs: int) -> list[Any] | None:
    """What a flow returns, run for one system after the other, where a single flow run would have
    too many task runs; ``None``: it has not."""
    if task_runs <= MOST or len(params.systems) == 1:
        return None
    found: list[Any] = []
    left = params.limit_usd
    for name in params.systems:
        part = flow(params.model_copy(update={"systems": [name], "limit_usd": left}))
        found += part
        if left is not None:
            left = max(left - sum(map(_spent, part)), 1e-9)
    return found


def _by_system(name: str, params: EvaluateParams, task_runs: int) -> list[Tally]:
    systems = len(params.systems)
    if task_runs <= MOST or systems == 1:
        return [Tally(name, task_runs)]
    return [Tally(name, systems), Tally(name, -(-task_runs // systems), systems)]


def _shards(rows: ReleaseRows, params: EvaluateParams, run: Run) -> list[tuple[int, int]]:
    wanted = set(params.job.questions(rows, run.budget))
    heard = [
        history.length.audio_seconds
        for history in rows.histories
        if history.budget == run.budget and history.question_id in wanted
    ]
    return cut(heard, entry_of(run.system.name))


def _spent(summary: Any) -> float:
    spent = summary["new_dollars"] if isinstance(summary, dict) else summary.new_dollars
    return float(spent)
